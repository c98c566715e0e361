#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/document.h"
#include "golden.h"

/// Reads the cases of the CEL files.
namespace plimsoll::golden {

inline std::string_view TextOf(const codec::Value* value) {
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

inline bool IsTrue(const codec::Value* value) { return value != nullptr && value->AsBool(); }

inline bool HasTag(const codec::Value& one, std::string_view tag) {
  const codec::Value* const tags = one.Find("tags");
  return tags != nullptr && std::ranges::any_of(tags->items(), [tag](const codec::Value& value) {
           return TextOf(&value) == tag;
         });
}

inline std::string NumberText(const codec::Value* value) {
  if (value == nullptr) return "none";
  return value->is_int() ? std::to_string(value->AsInt()) : std::string(value->text());
}

/// Compares a cost. Where upstream's own costs vary, the file has a range.
inline Mismatch DifferCost(const codec::Value& want, std::uint64_t got) {
  const codec::Value* const range = want.Find("cost_range");
  if (range == nullptr) return Differ("cost", NumberText(want.Find("cost")), std::to_string(got));
  const auto cost = static_cast<std::int64_t>(got);
  const bool is_inside = cost >= range->items()[0].AsInt() && cost <= range->items()[1].AsInt();
  return is_inside ? std::nullopt : Mismatch("cost out of range: " + std::to_string(got));
}

/// Checks a case of dra.json: an expression over devices, in each mode that has an outcome.
Mismatch CheckDevice(const codec::Value& header, const codec::Value& one);

}  // namespace plimsoll::golden
