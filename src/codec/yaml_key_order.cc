#include "codec/yaml_key_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/text/ascii.h"

namespace plimsoll::codec {
namespace {

bool IsLetter(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return IsLower(lower) || static_cast<signed char>(c) < 0;
}

struct Run {
  std::int64_t value = 0;
  std::size_t end = 0;
};

/// Parses digits from `start`, after a leading `head`. Longer runs wrap to 64 bits, as upstream.
Run DigitRun(std::string_view text, std::size_t start, std::uint64_t head) {
  std::uint64_t value = head;
  std::size_t end = start;
  for (; end < text.size() && IsDigit(text[end]); ++end) {
    value = value * 10 + static_cast<std::uint64_t>(text[end] - '0');
  }
  return {static_cast<std::int64_t>(value), end};
}

/// Returns true if a nonzero digit precedes within the number, so that a 0 here is not leading.
bool IsInsideNumber(std::string_view text, std::size_t at) {
  for (; at > 0 && IsDigit(text[at - 1]); --at) {
    if (text[at - 1] != '0') return true;
  }
  return false;
}

}  // namespace

bool YamlKeyBefore(std::string_view a, std::string_view b) {
  // UTF-8 sorts by code point, so comparing bytes is enough.
  const auto [differ_a, differ_b] = std::ranges::mismatch(a, b);
  if (differ_a == a.end() || differ_b == b.end()) return a.size() < b.size();
  const auto at = static_cast<std::size_t>(differ_a - a.begin());
  const auto byte_a = static_cast<unsigned char>(a[at]);
  const auto byte_b = static_cast<unsigned char>(b[at]);

  const bool is_letter_a = IsLetter(a[at]);
  const bool is_letter_b = IsLetter(b[at]);
  if (is_letter_a && is_letter_b) return byte_a < byte_b;
  if (is_letter_a || is_letter_b) return is_letter_b;

  const bool has_zero = a[at] == '0' || b[at] == '0';
  const std::uint64_t head = has_zero && IsInsideNumber(a, at) ? 1 : 0;
  const Run run_a = DigitRun(a, at, head);
  const Run run_b = DigitRun(b, at, head);
  if (run_a.value != run_b.value) return run_a.value < run_b.value;
  if (run_a.end != run_b.end) return run_a.end < run_b.end;
  return byte_a < byte_b;
}

}  // namespace plimsoll::codec
