#include "apiserver/response/media_range.h"

#include <algorithm>
#include <charconv>

#include "base/text/ascii.h"
#include "base/text/trim.h"

namespace plimsoll::apiserver {
namespace {

std::string_view Unquoted(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

/// Removes the text up to the separator, and the separator. Returns the text, trimmed.
std::string_view Take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return TrimBlanks(taken);
}

}  // namespace

std::string_view MediaRange::Parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters) {
    if (key == name) return value;
  }
  return {};
}

bool MediaRange::Covers(std::string_view media_type) const {
  if (type == media_type || type == "*/*") return true;
  return type.ends_with("/*") &&
         media_type.starts_with(std::string_view(type).substr(0, type.size() - 1));
}

MediaRange ParseMediaType(std::string_view header) {
  MediaRange range;
  range.type = Lowered(Take(header, ';'));
  while (!header.empty()) {
    std::string_view value = Take(header, ';');
    const std::string name = Lowered(Take(value, '='));
    value = Unquoted(TrimBlanks(value));
    if (name == "q") {
      const auto [end, error] =
          std::from_chars(value.data(), value.data() + value.size(), range.quality);
      if (error != std::errc{} || end != value.data() + value.size()) range.quality = 1;
    } else if (!name.empty()) {
      range.parameters.emplace_back(name, value);
    }
  }
  return range;
}

std::vector<MediaRange> ParseAccept(std::string_view header) {
  std::vector<MediaRange> ranges;
  while (!header.empty()) {
    const std::string_view clause = Take(header, ',');
    if (clause.empty()) continue;
    MediaRange range = ParseMediaType(clause);
    if (range.type.contains('/') && range.quality > 0) ranges.push_back(std::move(range));
  }
  std::ranges::stable_sort(ranges, std::greater<>(), &MediaRange::quality);
  return ranges;
}

}  // namespace plimsoll::apiserver
