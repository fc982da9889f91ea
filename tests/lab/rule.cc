// The grammar of rules. Any thread; no state.
#include "rule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace lab {
namespace {

[[noreturn]] void refuse(std::string_view word, std::string_view why) {
  throw std::invalid_argument("'" + std::string(word) + "': " + std::string(why));
}

constexpr std::uint32_t bit_of(Kind kind) {
  return 1U << static_cast<unsigned>(kind);
}

// "untouched" has no word: that is the point of it.
constexpr std::array<std::pair<std::string_view, std::uint32_t>, 11> kMatches{{
    {"syn", bit_of(Kind::syn)},
    {"synack", bit_of(Kind::syn_ack)},
    {"rst", bit_of(Kind::rst)},
    {"tcp-other", bit_of(Kind::tcp_other)},
    {"tcp", bit_of(Kind::syn) | bit_of(Kind::syn_ack) | bit_of(Kind::rst) | bit_of(Kind::tcp_other)},
    {"udp", bit_of(Kind::udp)},
    {"echo", bit_of(Kind::icmp_echo)},
    {"icmp-error", bit_of(Kind::icmp_error)},
    {"icmp", bit_of(Kind::icmp_echo) | bit_of(Kind::icmp_error)},
    {"other", bit_of(Kind::other)},
    {"all", bit_of(Kind::untouched) - 1},
}};

double parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0) {
    refuse(text, "not a number of zero or more");
  }
  return value;
}

std::uint64_t parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    refuse(text, "not a whole number");
  }
  return value;
}

double parse_percent(std::string_view text) {
  if (text.empty() || text.back() != '%') {
    refuse(text, "a probability needs a percent sign, as in 5%");
  }
  const double percent = parse_number(text.substr(0, text.size() - 1));
  if (percent > 100) {
    refuse(text, "more than 100%");
  }
  return percent / 100;
}

// "left SEPARATOR right"; right is empty when there is no separator.
std::pair<std::string_view, std::string_view> split(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  return at == std::string_view::npos ? std::pair(text, std::string_view{})
                                      : std::pair(text.substr(0, at), text.substr(at + 1));
}

template <typename Use>
void for_each_item(std::string_view list, Use use) {
  for (std::string_view rest = list; !rest.empty();) {
    const auto [item, tail] = split(rest, ',');
    use(item);
    rest = tail;
  }
}

NumberSet parse_numbers(std::string_view text) {
  NumberSet set;
  if (text == "all") {
    return set;
  }
  for_each_item(text, [&](std::string_view item) {
    const auto [first, last] = split(item, '-');
    const std::uint64_t low = parse_count(first);
    const std::uint64_t high = last.empty() ? low : parse_count(last);
    if (low > high || high > std::numeric_limits<std::uint16_t>::max()) {
      refuse(item, "not a range of numbers up to 65535");
    }
    set.ranges.push_back({static_cast<std::uint16_t>(low), static_cast<std::uint16_t>(high)});
  });
  if (set.ranges.empty()) {
    refuse(text, "no number");
  }
  return set;
}

std::uint32_t parse_match(std::string_view text) {
  std::uint32_t kinds = 0;
  for_each_item(text, [&](std::string_view item) {
    const auto* const known =
        std::find_if(kMatches.begin(), kMatches.end(), [&](const auto& match) { return match.first == item; });
    if (known == kMatches.end()) {
      refuse(item, "not a kind: syn synack rst tcp-other tcp udp echo icmp-error icmp other all");
    }
    kinds |= known->second;
  });
  return kinds;
}

void parse_path(Rule& rule, std::string_view text) {
  const auto [index, count] = split(text, '/');
  const std::uint64_t paths = parse_count(count);
  const std::uint64_t path = parse_count(index);
  if (path >= paths || paths > std::numeric_limits<std::uint16_t>::max()) {
    refuse(text, "needs INDEX/COUNT with the index below the count");
  }
  rule.path = static_cast<std::uint32_t>(path);
  rule.paths = static_cast<std::uint32_t>(paths);
}

void parse_loss(Rule& rule, std::string_view text) {
  const auto [first, second] = split(text, ':');
  if (first != "every") {
    rule.loss = parse_percent(text);
  } else if (rule.loss_every = parse_count(second); rule.loss_every == 0) {
    refuse(text, "every:N needs N of 1 or more");
  }
}

void parse_stall(Rule& rule, std::string_view text) {
  const auto [length, period] = split(text, '/');
  rule.stall = parse_time(length);
  rule.stall_period = parse_time(period);
  if (rule.stall <= 0 || rule.stall_period <= rule.stall) {
    refuse(text, "needs LENGTH/PERIOD with the length below the period");
  }
}

void parse_jitter(Rule& rule, std::string_view text) {
  const auto [shape, size] = split(text, ':');
  if (shape == "uniform") {
    rule.jitter = Jitter::uniform;
  } else if (shape == "exponential") {
    rule.jitter = Jitter::exponential;
  } else {
    refuse(text, "needs uniform:TIME or exponential:TIME");
  }
  rule.jitter_size = parse_time(size);
}

void parse_reorder(Rule& rule, std::string_view text) {
  constexpr std::string_view kFrames = "frames";
  const auto [percent, hold] = split(text, ':');
  rule.reorder = parse_percent(percent);
  if (hold.size() > kFrames.size() && hold.substr(hold.size() - kFrames.size()) == kFrames) {
    const std::uint64_t frames = parse_count(hold.substr(0, hold.size() - kFrames.size()));
    if (frames == 0 || frames > std::numeric_limits<std::uint16_t>::max()) {
      refuse(text, "needs 1 to 65535 frames");
    }
    rule.hold_frames = static_cast<std::uint32_t>(frames);
  } else {
    rule.hold = parse_time(hold);
  }
}

void parse_duplicate(Rule& rule, std::string_view text) {
  const auto [percent, after] = split(text, ':');
  rule.duplicate = parse_percent(percent);
  rule.duplicate_after = after.empty() ? 0 : parse_time(after);
}

void parse_rate(Rule& rule, std::string_view text) {
  const auto [number, unit] = split(text, '/');
  rule.rate = parse_number(number);
  if (rule.rate <= 0 || (unit != "s" && !unit.empty())) {
    refuse(text, "needs frames a second, as in 1000/s");
  }
}

using Setter = void (*)(Rule&, std::string_view);

constexpr std::array<std::pair<std::string_view, Setter>, 14> kWords{{
    {"queue", [](Rule& rule, std::string_view text) { rule.queues = parse_numbers(text); }},
    {"reverse-queue", [](Rule& rule, std::string_view text) { rule.reverse_queues = parse_numbers(text); }},
    {"port", [](Rule& rule, std::string_view text) { rule.ports = parse_numbers(text); }},
    {"match", [](Rule& rule, std::string_view text) { rule.kinds = parse_match(text); }},
    {"path", parse_path},
    {"loss", parse_loss},
    {"burst", [](Rule& rule, std::string_view text) { rule.burst = parse_number(text); }},
    {"stall", parse_stall},
    {"rate", parse_rate},
    {"ring", [](Rule& rule, std::string_view text) { rule.ring = parse_count(text); }},
    {"delay", [](Rule& rule, std::string_view text) { rule.delay = parse_time(text); }},
    {"jitter", parse_jitter},
    {"reorder", parse_reorder},
    {"duplicate", parse_duplicate},
}};

void set_word(Rule& rule, std::string_view word) {
  const auto [key, value] = split(word, '=');
  const auto* const known =
      std::find_if(kWords.begin(), kWords.end(), [key = key](const auto& entry) { return entry.first == key; });
  if (known == kWords.end() || value.empty()) {
    refuse(word, "not a word of a rule (see tests/lab/README.md)");
  }
  known->second(rule, value);
}

void check_whole(const Rule& rule) {
  // A burst of mean B is entered at most after each good frame: loss <= B / (B + 1).
  if (rule.burst != 0 && (rule.burst < 1 || rule.loss <= 0 || rule.loss > rule.burst / (rule.burst + 1))) {
    refuse(rule.text, "burst=B needs B of 1 or more and a loss above 0% and up to B/(B+1)");
  }
  if (rule.ring != std::numeric_limits<std::uint64_t>::max() && !rule.has_service()) {
    refuse(rule.text, "nothing waits in a ring without stall or rate");
  }
  const bool does_something = rule.loss > 0 || rule.loss_every > 0 || rule.has_service() || rule.delay > 0 ||
                              rule.jitter != Jitter::none || rule.reorder > 0 || rule.duplicate > 0;
  if (!does_something) {
    refuse(rule.text, "does nothing to a frame");
  }
}

}  // namespace

bool NumberSet::contains(std::uint16_t number) const {
  return ranges.empty() || std::any_of(ranges.begin(), ranges.end(), [number](const Range& range) {
           return number >= range.first && number <= range.last;
         });
}

bool Rule::applies_to(const FrameFacts& facts, QueueId queue) const {
  return (kinds & bit_of(facts.kind)) != 0 && queues.contains(queue);
}

Rule parse_rule(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  Rule rule;
  rule.text = text;
  rule.kinds = parse_match("all");
  for (std::size_t at = text.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
    set_word(rule, text.substr(at, end - at));
    at = text.find_first_not_of(kBlank, end);
  }
  check_whole(rule);
  return rule;
}

Nanoseconds parse_time(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  constexpr double kLongest = 3600e9;  // an hour
  for (const auto& [unit, nanoseconds] : kUnits) {
    if (text.size() > unit.size() && text.substr(text.size() - unit.size()) == unit) {
      const std::string_view number = text.substr(0, text.size() - unit.size());
      if (std::isdigit(static_cast<unsigned char>(number.back())) == 0) {
        continue;  // "3ms" ends in "s" too
      }
      const double value = parse_number(number) * nanoseconds;
      if (value > kLongest) {
        refuse(text, "more than an hour");
      }
      return std::llround(value);
    }
  }
  refuse(text, "not a time: a number and ns, us, ms or s");
}

}  // namespace lab
