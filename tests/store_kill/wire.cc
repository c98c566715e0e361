#include "store_kill/wire.h"

#include <fmt/format.h>

#include <charconv>

#include "base/fnv.h"

namespace plimsoll::store_kill {

std::string KeyName(std::uint32_t key) { return fmt::format("/w/{:05}", key); }
std::string CounterName(std::uint32_t counter) { return fmt::format("/counter/{}", counter); }

Bytes MakeValue(std::string_view key, std::int64_t sequence, std::size_t filling) {
  std::string text = fmt::format("{} {} ", key, sequence);
  for (std::size_t i = 0; i < filling; ++i) {
    text += static_cast<char>('a' + (static_cast<std::size_t>(sequence) * 7 + i * i) % 26);
  }
  const std::uint64_t sum = Fnv1a(text);
  return MakeBytes(fmt::format("{} {:016x}", text, sum));
}

std::int64_t ReadValue(std::string_view key, std::string_view value) {
  const std::size_t end = value.rfind(' ');
  if (end == std::string_view::npos) return -1;
  if (value.substr(end + 1) != fmt::format("{:016x}", Fnv1a(value.substr(0, end)))) return -1;
  if (!value.starts_with(key) || value.size() <= key.size() || value[key.size()] != ' ') return -1;
  std::int64_t sequence = -1;
  std::from_chars(value.data() + key.size() + 1, value.data() + end, sequence);
  return sequence;
}

}  // namespace plimsoll::store_kill
