#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "api/decode/decode.h"
#include "api/decode/read.h"
#include "codec/value.h"

/// Reads conformed trees of kinds without a struct. A null object has no members.
namespace plimsoll::api {

inline const codec::Value* MemberOf(const codec::Value* object, std::string_view key) {
  return object != nullptr ? object->Find(key) : nullptr;
}

/// Returns an empty text if the member is missing, as in Go.
inline std::string_view TextOf(const codec::Value* object, std::string_view key) {
  const codec::Value* found = MemberOf(object, key);
  return found != nullptr ? found->text() : std::string_view();
}

inline std::optional<std::int64_t> IntOf(const codec::Value* object, std::string_view key) {
  const codec::Value* found = MemberOf(object, key);
  return found != nullptr ? std::optional(found->AsInt()) : std::nullopt;
}

inline bool BoolOf(const codec::Value* object, std::string_view key) {
  const codec::Value* found = MemberOf(object, key);
  return found != nullptr && found->AsBool();
}

inline std::span<const codec::Value> ItemsOf(const codec::Value* object, std::string_view key) {
  const codec::Value* found = MemberOf(object, key);
  return found != nullptr ? found->items() : std::span<const codec::Value>();
}

inline std::span<const codec::Member> MembersOf(const codec::Value* object, std::string_view key) {
  const codec::Value* found = MemberOf(object, key);
  return found != nullptr ? found->members() : std::span<const codec::Member>();
}

/// Returns the member decoded as T; a default-constructed T if it is missing.
template <class T>
T DecodedOf(const codec::Value* object, std::string_view key) {
  T out{};
  if (const codec::Value* found = MemberOf(object, key)) Decode(*found, out);
  return out;
}

}  // namespace plimsoll::api
