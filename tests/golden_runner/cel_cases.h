#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/document.h"
#include "golden.h"

/// Reading the cases of the expression files.
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

/// Where upstream's own costs vary, a range is recorded.
inline Mismatch DifferCost(const codec::Value& want, std::uint64_t got) {
  const codec::Value* const range = want.Find("cost_range");
  if (range == nullptr) return Differ("cost", NumberText(want.Find("cost")), std::to_string(got));
  const auto cost = static_cast<std::int64_t>(got);
  const bool is_inside = cost >= range->items()[0].AsInt() && cost <= range->items()[1].AsInt();
  return is_inside ? std::nullopt : Mismatch("cost out of range: " + std::to_string(got));
}

/// Of dra.json: expressions over devices, in each of the modes that a case has outcomes for.
Mismatch CheckDevice(const codec::Value& header, const codec::Value& one);

}  // namespace plimsoll::golden
