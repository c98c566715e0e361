#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "cel/arena.h"
#include "cel/program.h"
#include "cel/value.h"

/// Values that implementations return, put into the arena of the evaluation.
namespace plimsoll::cel {

/// Texts beyond this are refused: a short expression can ask for one of terabytes.
inline constexpr std::size_t kTextBytesMax = 64 << 20;

/// Likewise for lists that are put together of others.
inline constexpr std::size_t kElementsMax = 4 << 20;

/// As std::copy_n, and faster for texts of a few letters. Answers the end.
inline char* CopyText(std::string_view text, char* out) {
  constexpr std::size_t kFew = 8;
  if (text.size() > kFew) return std::copy_n(text.data(), text.size(), out);
  for (const char c : text) *out++ = c;
  return out;
}

inline Value MakeList(Arena& arena, std::span<const Value> elements) {
  if (elements.empty()) return Value::List({});
  Value* const copy = arena.Allocate<Value>(elements.size());
  std::copy(elements.begin(), elements.end(), copy);
  return Value::List({copy, elements.size()});
}

inline Value MakeOptional(Arena& arena, const Value& value) {
  return Value::Optional(arena.Own<Value>(value));
}

inline Value ListTooLarge(Evaluation& evaluation) {
  return evaluation.Fail("the resulting list is too large");
}

inline Value TextTooLarge(Evaluation& evaluation) {
  return evaluation.Fail("the resulting string is too large");
}

}  // namespace plimsoll::cel
