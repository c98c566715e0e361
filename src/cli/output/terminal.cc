#include "cli/output/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

namespace plimsoll::cli {
namespace {

/// No line is folded on a narrower terminal: a column of single words is harder to read.
constexpr std::size_t kColumnsMin = 20;
constexpr std::size_t kColumnsMax = 10'000;

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::size_t NumberOf(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? number : 0;
}

}  // namespace

TerminalEnvironment ReadTerminalEnvironment() {
  return {Variable("NO_COLOR"), Variable("TERM"), Variable("COLUMNS")};
}

StreamDevice DescribeDevice(bool is_terminal, std::size_t window_columns,
                            const TerminalEnvironment& environment) {
  if (!is_terminal) return {};
  StreamDevice device{.is_terminal = true};
  const bool is_dumb = environment.term.empty() || environment.term == "dumb";
  device.wants_colour = environment.no_color.empty() && !is_dumb;
  device.columns = window_columns != 0 ? window_columns : NumberOf(environment.columns);
  if (device.columns < kColumnsMin || device.columns > kColumnsMax) device.columns = 0;
  return device;
}

StreamDevice DescribeDevice(int descriptor, const TerminalEnvironment& environment) {
  if (isatty(descriptor) == 0) return {};
  winsize window{};
  const bool has_window = ioctl(descriptor, TIOCGWINSZ, &window) == 0;
  return DescribeDevice(true, has_window ? window.ws_col : 0, environment);
}

}  // namespace plimsoll::cli
