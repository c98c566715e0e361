#include "cli/output/style.h"

namespace plimsoll::cli {
namespace {

std::string_view CodeOf(Style style) {
  switch (style) {
    case Style::Plain:
      return {};
    case Style::Good:
      return "\x1b[32m";
    case Style::Bad:
      return "\x1b[31m";
    case Style::Warning:
      return "\x1b[33m";
    case Style::Heading:
      return "\x1b[1m";
  }
  return {};
}

}  // namespace

std::string Look::Paint(std::string_view text, Style style) const {
  const std::string_view code = CodeOf(style);
  if (!has_colour || code.empty() || text.empty()) return std::string(text);
  return std::string(code).append(text).append("\x1b[0m");
}

Look LookOf(const StreamDevice& device, ColourMode mode) {
  Look look;
  look.has_colour = mode == ColourMode::Always || (mode == ColourMode::Auto && device.wants_colour);
  look.is_terminal = device.is_terminal;
  look.columns = device.is_terminal ? device.columns : 0;
  return look;
}

ColourMode ParseColourMode(std::string_view text) {
  if (text == "always") return ColourMode::Always;
  return text == "never" ? ColourMode::Never : ColourMode::Auto;
}

}  // namespace plimsoll::cli
