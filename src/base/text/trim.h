#pragma once

#include <string_view>

/// Removes characters from both ends of a text.
namespace plimsoll {

/// Returns the text without the characters at its ends for which `is_removed` is true.
template <class Predicate>
constexpr std::string_view TrimIf(std::string_view text, Predicate is_removed) {
  while (!text.empty() && is_removed(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_removed(text.back())) text.remove_suffix(1);
  return text;
}

constexpr std::string_view TrimSpaces(std::string_view text) {
  return TrimIf(text, [](char c) { return c == ' '; });
}

/// Removes spaces and tabs, which are the optional white space of HTTP.
constexpr std::string_view TrimBlanks(std::string_view text) {
  return TrimIf(text, [](char c) { return c == ' ' || c == '\t'; });
}

/// Removes the white space of ASCII, including line ends.
constexpr std::string_view TrimWhiteSpace(std::string_view text) {
  return TrimIf(text, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
}

}  // namespace plimsoll
