// Reads TARGET arguments and target files (see the header).
#include "volley/app/target_text.h"

#include <algorithm>

#include "volley/app/quantity.h"

namespace volley::app {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

[[noreturn]] void refuse(std::string_view text) {
  throw BadQuantity("'" + std::string(text) +
                    "' is not a target like host, host:443, host:80,443,8000-8010 or [2001:db8::1]:443");
}

}  // namespace

TargetText parse_target(std::string_view text) {
  TargetText target;
  std::string_view ports;
  bool has_ports = false;
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) refuse(text);
    target.host = text.substr(1, close - 1);
    const std::string_view rest = text.substr(close + 1);
    if (!rest.empty() && rest.front() != ':') refuse(text);
    has_ports = !rest.empty();
    if (has_ports) ports = rest.substr(1);
  } else if (std::count(text.begin(), text.end(), ':') == 1) {
    const std::size_t colon = text.find(':');
    target.host = text.substr(0, colon);
    ports = text.substr(colon + 1);
    has_ports = true;
  } else {
    target.host = text;  // a name, or an IPv6 address: more than one colon
  }
  const bool has_odd_letter = std::any_of(target.host.begin(), target.host.end(), [](char letter) {
    return static_cast<unsigned char>(letter) <= ' ' || letter == '[' || letter == ']' || letter == '/';
  });
  if (target.host.empty() || has_odd_letter || target.host.size() > 255) refuse(text);
  if (!has_ports) return target;
  try {
    target.ports = parse_port_list(ports);
  } catch (const BadQuantity& error) {
    throw BadQuantity(std::string(text) + ": " + error.what());
  }
  return target;
}

std::vector<TargetText> parse_target_lines(std::string_view text) {
  std::vector<TargetText> targets;
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    try {
      targets.push_back(parse_target(line));
    } catch (const BadQuantity& error) {
      throw BadQuantity("line " + std::to_string(line_number) + ": " + error.what());
    }
  }
  return targets;
}

}  // namespace volley::app
