#include "base/process_stat.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace plimsoll {
namespace {

/// Removes and returns the next word; empty at the end.
std::string_view NextWord(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \n"));
  text.remove_prefix(word.size());
  return word;
}

std::optional<std::uint64_t> Number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Removes and returns the next line that begins with `prefix`, without the prefix.
std::string_view NextLine(std::string_view& text, std::string_view prefix) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with(prefix)) return line.substr(prefix.size());
  }
  return {};
}

}  // namespace

std::optional<ProcessStat> ParseProcessStat(std::string_view text) {
  // The name of the program is in parentheses and may contain spaces and parentheses.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  constexpr int kFirstField = 3;
  constexpr int kStartTime = 22;
  for (int field = kFirstField; field < kStartTime; ++field) NextWord(text);
  const auto start = Number(NextWord(text));
  const auto virtual_bytes = Number(NextWord(text));
  const auto resident = Number(NextWord(text));
  if (!start || !virtual_bytes || !resident) return std::nullopt;
  return ProcessStat{*start, *virtual_bytes, *resident};
}

std::optional<NetworkOctets> ParseNetworkOctets(std::string_view text) {
  // A line with the names, and below it a line with the values.
  std::string_view names = NextLine(text, "IpExt:");
  std::string_view values = NextLine(text, "IpExt:");
  std::optional<std::uint64_t> in;
  std::optional<std::uint64_t> out;
  while (true) {
    const std::string_view name = NextWord(names);
    const std::string_view value = NextWord(values);
    if (name.empty()) break;
    if (name == "InOctets") in = Number(value);
    if (name == "OutOctets") out = Number(value);
  }
  if (!in || !out) return std::nullopt;
  return NetworkOctets{*in, *out};
}

}  // namespace plimsoll
