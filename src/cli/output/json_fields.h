#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/document.h"

/// Builders for the JSON output of commands. They copy texts; keys must outlive the document.
namespace plimsoll::cli {

/// Omits empty texts, like API objects.
inline void SetText(codec::Document& document, codec::Value& object, std::string_view key,
                    std::string_view text) {
  if (!text.empty()) document.Set(object, key, document.NewString(text));
}

inline void SetCount(codec::Document& document, codec::Value& object, std::string_view key,
                     std::size_t count) {
  document.Set(object, key, codec::Value::Int(static_cast<std::int64_t>(count)));
}

/// Sets an array of `to_tree(item)`.
template <class Item, class ToTree>
void SetList(codec::Document& document, codec::Value& object, std::string_view key,
             const std::vector<Item>& items, const ToTree& to_tree) {
  codec::Value list = document.NewArray(items.size());
  for (const Item& item : items) document.Append(list, to_tree(item));
  document.Set(object, key, list);
}

inline void SetTexts(codec::Document& document, codec::Value& object, std::string_view key,
                     const std::vector<std::string>& texts) {
  SetList(document, object, key, texts,
          [&](const std::string& text) { return document.NewString(text); });
}

}  // namespace plimsoll::cli
