#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/decode/decode.h"

/// Helpers shared by all decoders.
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
/// Keeps a pointer to a subtree that is not decoded.
inline void Decode(const codec::Value& tree, const codec::Value*& out) { out = &tree; }

inline void Decode(const codec::Value& tree, StringMap& out) {
  std::vector<StringMap::Entry> entries;
  entries.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    entries.emplace_back(member.key, member.value.text());
  }
  out = StringMap(std::move(entries));
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

template <class T>
struct FieldTarget {
  codec::FieldId field;
  T& out;
};
template <class T>
FieldTarget(codec::FieldId, T&) -> FieldTarget<T>;

/// Decodes the given fields into their targets: DecodeFields(tree,
/// FieldTarget{F::kKey, out.key}).
template <class... T>
void DecodeFields(const codec::Value& tree, const FieldTarget<T>&... targets) {
  for (const codec::Member& member : tree.members()) {
    static_cast<void>(
        ((member.field == targets.field && (Decode(member.value, targets.out), true)) || ...));
  }
}

/// Decodes one text field of each object in a list: `readinessGates[].conditionType`.
inline void DecodeTexts(const codec::Value& tree, codec::FieldId field,
                        std::vector<std::string_view>& out) {
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) {
    std::string_view text;
    for (const codec::Member& member : item.members()) {
      if (member.field == field) text = member.value.text();
    }
    out.push_back(text);
  }
}

}  // namespace plimsoll::api
