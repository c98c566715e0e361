#include "cli/explain/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/go_text.h"
#include "base/text/utf8.h"
#include "base/unicode_print.h"

namespace plimsoll::cli {
namespace {

/// GoQuote adds quotes around the escaped rune.
std::string Escaped(std::string_view rune) {
  const std::string quoted = GoQuote(rune);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::string EscapeUnprintable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    const std::string_view bytes = text.substr(0, rune.bytes);
    text.remove_prefix(rune.bytes);
    const bool is_kept = rune.is_valid && IsPrintable(rune.value);
    out += is_kept ? std::string(bytes) : Escaped(bytes);
  }
  return out;
}

void TextLines::Add(std::string_view line) {
  text_.append(indent_, ' ');
  text_ += EscapeUnprintable(line);
  text_ += '\n';
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
