#include "codec/strict_fields.h"

#include <algorithm>
#include <limits>

#include "base/go_duration.h"
#include "base/suggest.h"

namespace plimsoll::codec {

StrictFields::StrictFields(const Value* tree, std::string at, Fault& fault)
    : tree_(tree), at_(std::move(at)), fault_(fault) {
  if (tree_ != nullptr && !tree_->is_object()) {
    if (!tree_->is_null()) Refuse("", "must be an object");
    tree_ = nullptr;
  }
}

StrictFields::~StrictFields() {
  if (tree_ == nullptr || fault_) return;
  for (const Member& member : tree_->members()) {
    if (std::ranges::find(asked_, member.key) != asked_.end()) continue;
    std::string message = "unknown field";
    if (const auto meant = Nearest(member.key, asked_)) message += "; did you mean " + *meant + "?";
    Refuse(member.key, std::move(message));
    return;
  }
}

const Value* StrictFields::Find(std::string_view key) {
  asked_.emplace_back(key);
  const Value* const value = tree_ == nullptr ? nullptr : tree_->Find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string StrictFields::Path(std::string_view key) const {
  std::string path = at_;
  if (!path.empty() && !key.empty()) path += '.';
  return path.append(key);
}

void StrictFields::Refuse(std::string_view key, std::string message) {
  if (!fault_) fault_ = Error{Reason::BadRequest, Path(key), std::move(message)};
}

void StrictFields::Read(std::string_view key, std::string& out) {
  const Value* const value = Find(key);
  if (value == nullptr) return;
  if (!value->is_string()) return Refuse(key, "must be a string");
  out = value->text();
}

void StrictFields::Read(std::string_view key, bool& out) {
  const Value* const value = Find(key);
  if (value == nullptr) return;
  if (!value->is_bool()) return Refuse(key, "must be a boolean");
  out = value->AsBool();
}

void StrictFields::Read(std::string_view key, std::int64_t& out, std::int64_t low,
                        std::int64_t high) {
  const Value* const value = Find(key);
  if (value == nullptr) return;
  if (!value->is_int()) return Refuse(key, "must be an integer");
  const std::int64_t number = value->AsInt();
  if (number < low || number > high) {
    const bool is_open = high == std::numeric_limits<std::int64_t>::max() ||
                         high == std::numeric_limits<std::int32_t>::max();
    return Refuse(key, is_open
                           ? "must be at least " + std::to_string(low)
                           : "must be from " + std::to_string(low) + " to " + std::to_string(high));
  }
  out = number;
}

void StrictFields::Read(std::string_view key, std::int32_t& out, std::int32_t low,
                        std::int32_t high) {
  std::int64_t wide = out;
  Read(key, wide, low, high);
  out = static_cast<std::int32_t>(wide);
}

void StrictFields::Read(std::string_view key, std::vector<std::string>& out) {
  const Value* const value = Find(key);
  if (value == nullptr) return;
  if (!value->is_array()) return Refuse(key, "must be a list of strings");
  out.clear();
  for (const Value& item : value->items()) {
    if (!item.is_string()) return Refuse(key, "must be a list of strings");
    out.emplace_back(item.text());
  }
}

void StrictFields::Read(std::string_view key, Duration& out) {
  const Value* const value = Find(key);
  if (value == nullptr) return;
  const auto read = value->is_string() ? ParseGoDuration(value->text()) : std::nullopt;
  if (!read) return Refuse(key, "must be a duration such as 15s or 1m30s");
  out = *read;
}

void StrictFields::SkipNumber(std::string_view key) {
  const Value* const value = Find(key);
  if (value != nullptr && !value->is_number()) Refuse(key, "must be a number");
}

}  // namespace plimsoll::codec
