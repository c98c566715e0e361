#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/decode/decode.h"

/// Decodes values that have no view of their own: texts, numbers, lists and maps. The generated
/// decoders call these functions.
namespace plimsoll::api {

inline void Decode(const codec::Value& tree, std::string_view& out) { out = tree.text(); }
inline void Decode(const codec::Value& tree, bool& out) { out = tree.AsBool(); }
inline void Decode(const codec::Value& tree, std::int64_t& out) { out = tree.AsInt(); }
inline void Decode(const codec::Value& tree, std::int32_t& out) {
  out = static_cast<std::int32_t>(tree.AsInt());
}

/// Conform has validated the text, so parsing cannot fail.
inline void Decode(const codec::Value& tree, Quantity& out) {
  out = tree.is_int() ? Quantity::FromInt(tree.AsInt())
                      : Quantity::FromScalar(tree.text()).value_or(Quantity());
}

inline void Decode(const codec::Value& tree, StringMap& out) {
  std::vector<StringMap::Entry> entries;
  entries.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    entries.emplace_back(member.key, member.value.text());
  }
  out = StringMap(std::move(entries));
}

inline void Decode(const codec::Value& tree, ResourceList& out) {
  out.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    const std::string_view text = member.value.text();
    // Conform has validated the text, so parsing cannot fail.
    out.push_back({member.key, text, Quantity::FromScalar(text).value_or(Quantity())});
  }
  std::ranges::sort(out, {}, &ResourceAmount::name);
}

template <class T>
void Decode(const codec::Value& tree, std::optional<T>& out) {
  Decode(tree, out.emplace());
}

template <class T>
void Decode(const codec::Value& tree, std::vector<T>& out) {
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) Decode(item, out.emplace_back());
}

/// A function that decodes a tree into a T.
template <class T>
using DecodeInto = void (*)(const codec::Value& tree, std::type_identity_t<T>& out);

/// Decodes the items of a list with a function of their own.
template <class T>
void DecodeItems(const codec::Value& tree, std::vector<T>& out, DecodeInto<T> decode) {
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) decode(item, out.emplace_back());
}

/// Decodes a map into amounts; `decode` reads the quantity of an entry.
inline void DecodeNamed(const codec::Value& tree, std::vector<NamedQuantity>& out,
                        DecodeInto<Quantity> decode) {
  out.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    decode(member.value, out.emplace_back(member.key).value);
  }
  std::ranges::sort(out, {}, &NamedQuantity::name);
}

inline void Decode(const codec::Value& tree, std::vector<NamedQuantity>& out) {
  DecodeNamed(tree, out, Decode);
}

/// Returns the keys of a map.
inline void DecodeKeys(const codec::Value& tree, std::vector<std::string_view>& out) {
  for (const codec::Member& member : tree.members()) out.push_back(member.key);
}

}  // namespace plimsoll::api
