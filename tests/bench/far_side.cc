// Loads the bench's XDP programs onto both ends of a veth pair, and obeys the
// runner: a command a line on standard input, an answer a line on standard output.
//
//   reflect   the far end answers every probe        -> ok
//   sink      the far end drops every probe          -> ok
//   off       no program on either end               -> ok
//   counters  what passed each end since the start   -> one JSON object
//
// One thread. Ends with its input; both ends are then without a program.
// Usage: far_side OBJECT FAR_NETNS FAR_INTERFACE NEAR_NETNS NEAR_INTERFACE
#include "far_side.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace {

constexpr std::array<const char*, KIND_COUNT> kKindNames{"syn", "syn_ack",      "reset",      "other_tcp",
                                                         "udp", "echo_request", "echo_reply", "other"};
constexpr std::array<const char*, SIDE_COUNT> kSideNames{"far", "near"};

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::system_error(error, std::generic_category(), what);
}

// One end of the pair: a program and the interface it runs on.
class End {
 public:
  End(const std::string& netns, const std::string& interface_name, int program) : program_(program) {
    const std::string path = "/run/netns/" + netns;
    netns_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (netns_ < 0) fail("open " + path, errno);
    enter();
    index_ = static_cast<int>(if_nametoindex(interface_name.c_str()));
    if (index_ == 0) fail("interface " + interface_name + " in " + netns, errno);
  }
  ~End() {
    try {
      detach();
    } catch (const std::exception&) {
      // The interface is gone, and the program with it.
    }
    close(netns_);
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  void attach() {
    if (is_attached_) return;
    enter();
    // Native, never the generic form: that would be no faster than the kernel.
    const int result = bpf_xdp_attach(index_, program_, XDP_FLAGS_DRV_MODE | XDP_FLAGS_UPDATE_IF_NOEXIST, nullptr);
    if (result != 0) fail("attach the XDP program", -result);
    is_attached_ = true;
  }
  void detach() {
    if (!is_attached_) return;
    enter();
    is_attached_ = false;
    const int result = bpf_xdp_detach(index_, XDP_FLAGS_DRV_MODE, nullptr);
    if (result != 0) fail("detach the XDP program", -result);
  }

 private:
  void enter() const {
    if (setns(netns_, CLONE_NEWNET) != 0) fail("enter the network namespace", errno);
  }

  int netns_ = -1;
  int program_;
  int index_ = 0;
  bool is_attached_ = false;
};

struct CloseObject {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
};
using Object = std::unique_ptr<bpf_object, CloseObject>;

// What fails is in the exception; the verifier's log is pages long.
int stay_quiet(libbpf_print_level /*level*/, const char* /*format*/, va_list /*arguments*/) {
  return 0;
}

Object load(const std::string& path) {
  libbpf_set_print(stay_quiet);
  Object object(bpf_object__open(path.c_str()));
  if (!object) fail("open " + path, errno);
  if (const int result = bpf_object__load(object.get()); result != 0) fail("load " + path, -result);
  return object;
}

int program_of(const Object& object, const char* name) {
  const bpf_program* program = bpf_object__find_program_by_name(object.get(), name);
  if (program == nullptr) throw std::runtime_error(std::string("no program ") + name);
  return bpf_program__fd(program);
}

int map_of(const Object& object, const char* name) {
  const bpf_map* map = bpf_object__find_map_by_name(object.get(), name);
  if (map == nullptr) throw std::runtime_error(std::string("no map ") + name);
  return bpf_map__fd(map);
}

void set_mode(int map, std::uint32_t mode) {
  const std::uint32_t key = 0;
  if (bpf_map_update_elem(map, &key, &mode, BPF_ANY) != 0) fail("set the mode", errno);
}

std::uint64_t sum_of(int map, std::uint32_t key) {
  std::vector<std::uint64_t> by_cpu(static_cast<std::size_t>(libbpf_num_possible_cpus()));
  if (bpf_map_lookup_elem(map, &key, by_cpu.data()) != 0) fail("read the counters", errno);
  std::uint64_t sum = 0;
  for (const std::uint64_t value : by_cpu) sum += value;
  return sum;
}

std::string counters_text(int map) {
  std::string text = "{";
  std::uint32_t key = 0;
  for (const char* side : kSideNames) {
    text += (text.size() > 1 ? ", \"" : "\"") + std::string(side) + "\": {";
    for (std::size_t kind = 0; kind < kKindNames.size(); ++kind, ++key) {
      text += (kind > 0 ? ", \"" : "\"") + std::string(kKindNames[kind]) + "\": " + std::to_string(sum_of(map, key));
    }
    text += "}";
  }
  return text + "}";
}

void obey(const Object& object, End& far, End& near) {
  const int mode = map_of(object, "mode");
  const int counters = map_of(object, "counters");
  for (std::string command; std::getline(std::cin, command);) {
    if (command == "reflect" || command == "sink") {
      set_mode(mode, command == "sink" ? FAR_SIDE_SINK : FAR_SIDE_REFLECT);
      near.attach();
      far.attach();
      std::cout << "ok" << std::endl;
    } else if (command == "off") {
      far.detach();
      near.detach();
      std::cout << "ok" << std::endl;
    } else if (command == "counters") {
      std::cout << counters_text(counters) << std::endl;
    } else {
      std::cout << "no such command: " << command << std::endl;
    }
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 6) {
    std::fputs("usage: far_side OBJECT FAR_NETNS FAR_INTERFACE NEAR_NETNS NEAR_INTERFACE\n", stderr);
    return 2;
  }
  try {
    const Object object = load(arguments[1]);
    End far(arguments[2], arguments[3], program_of(object, "far_end"));
    End near(arguments[4], arguments[5], program_of(object, "near_end"));
    std::cout << "ready" << std::endl;
    obey(object, far, near);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "far_side: %s\n", error.what());
    return 1;
  }
}
