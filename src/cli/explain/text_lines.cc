#include "cli/explain/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output/display_width.h"

namespace plimsoll::cli {

void TextLines::Add(std::string_view line, Style style) { Add(StyledText(line, style)); }

void TextLines::Add(const StyledText& line) {
  text_.Add(std::string(indent_, ' '));
  for (const StyledText::Span& span : line.spans()) text_.Add(Printable(span.text), span.style);
  text_.Add("\n");
}

std::string TextLines::List(const std::vector<std::string>& items) const {
  return is_wide_ ? ListText(items, std::max<std::size_t>(1, items.size())) : ListText(items);
}

std::string CountText(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string ListText(const std::vector<std::string>& items, std::size_t shown_max) {
  std::string text;
  const std::size_t shown = std::min(items.size(), shown_max);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += items[i];
  }
  if (items.size() > shown) text += fmt::format(" and {} more", items.size() - shown);
  return text;
}

}  // namespace plimsoll::cli
