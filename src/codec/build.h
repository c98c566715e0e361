#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include "codec/document.h"

/// Builders for trees whose shape is known in code.
namespace plimsoll::codec {

/// Returns an object with the members in this order. REQUIRES: keys are unique. Keys and texts must
/// outlive the document, as in Document::Set.
inline Value ObjectOf(Document& document,
                      std::initializer_list<std::pair<std::string_view, Value>> members) {
  Value object = document.NewObject(members.size());
  for (const auto& [key, value] : members) document.Set(object, key, value);
  return object;
}

inline Value ArrayOf(Document& document, std::initializer_list<Value> items) {
  Value array = document.NewArray(items.size());
  for (const Value& item : items) document.Append(array, item);
  return array;
}

}  // namespace plimsoll::codec
