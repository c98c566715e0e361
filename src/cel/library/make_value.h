#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "cel/arena.h"
#include "cel/limits.h"
#include "cel/program.h"
#include "cel/value.h"

/// Creates values that implementations return, in the arena of the evaluation.
namespace plimsoll::cel {

/// Same as std::copy_n, but faster for short texts. Returns the end.
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
