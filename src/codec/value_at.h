#pragma once

#include <concepts>
#include <initializer_list>
#include <string_view>

#include "codec/value.h"

/// Reads members of a tree by their keys. Argument-dependent lookup finds these functions, so that
/// callers need not name the namespace.
namespace plimsoll::codec {

template <class Key>
concept KeyText = std::convertible_to<const Key&, std::string_view>;

/// Returns the value at a path of keys, or null. `tree` may be null.
template <KeyText... Keys>
const Value* FindAt(const Value* tree, const Keys&... keys) {
  ((tree = tree == nullptr ? nullptr : tree->Find(std::string_view(keys))), ...);
  return tree;
}
template <KeyText... Keys>
const Value* FindAt(const Value& tree, const Keys&... keys) {
  return FindAt(&tree, keys...);
}
inline const Value* FindAt(const Value& tree, std::initializer_list<std::string_view> path) {
  const Value* at = &tree;
  for (const std::string_view key : path) at = FindAt(at, key);
  return at;
}

/// Returns the value's text, or "" if it is null or no string. The text lives as long as the tree.
inline std::string_view TextOrEmpty(const Value* value) {
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

/// Returns the string at a path of keys, or "". `tree` may be null.
template <KeyText... Keys>
std::string_view TextAt(const Value* tree, const Keys&... keys) {
  return TextOrEmpty(FindAt(tree, keys...));
}
template <KeyText... Keys>
std::string_view TextAt(const Value& tree, const Keys&... keys) {
  return TextOrEmpty(FindAt(tree, keys...));
}
inline std::string_view TextAt(const Value& tree, std::initializer_list<std::string_view> path) {
  return TextOrEmpty(FindAt(tree, path));
}

}  // namespace plimsoll::codec
