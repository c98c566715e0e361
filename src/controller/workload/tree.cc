#include "controller/workload/tree.h"

#include "base/go_text.h"

namespace plimsoll::controller {

std::int64_t IntAt(const codec::Value& tree, TreePath path, std::int64_t fallback) {
  const codec::Value* const at = FindAt(tree, path);
  return at != nullptr && at->is_int() ? at->AsInt() : fallback;
}

bool BoolAt(const codec::Value& tree, TreePath path, bool fallback) {
  const codec::Value* const at = FindAt(tree, path);
  return at != nullptr && at->is_bool() ? at->AsBool() : fallback;
}

std::optional<Instant> TimeAt(const codec::Value& tree, TreePath path) {
  const std::string_view text = TextAt(tree, path);
  if (text.empty()) return std::nullopt;
  const Result<Instant> time = ParseTime(text);
  return time ? std::optional(*time) : std::nullopt;
}

std::int64_t ScaledAt(const codec::Value& tree, TreePath path, std::int64_t total,
                      Rounding rounding, std::int64_t fallback) {
  const codec::Value* const at = FindAt(tree, path);
  if (at == nullptr || at->is_null()) return fallback;
  if (at->is_int()) return at->AsInt();
  if (!at->is_string() || !at->text().ends_with('%')) return 0;
  const Result<std::int64_t> percent = GoParseInt(at->text().substr(0, at->text().size() - 1));
  if (!percent) return 0;
  const std::int64_t scaled = *percent * total;
  return rounding == Rounding::Up ? (scaled + 99) / 100 : scaled / 100;
}

StatusChange::StatusChange(const api::Object& object)
    : object_(object), status_(object.tree().Find("status")) {}

StatusChange& StatusChange::Int(std::string_view key, std::int64_t value) {
  const codec::Value* const known = status_ == nullptr ? nullptr : status_->Find(key);
  if (known == nullptr || !known->is_int() || known->AsInt() != value) changed_.Int(key, value);
  return *this;
}

StatusChange& StatusChange::Count(std::string_view key, std::int64_t value) {
  if (value != 0) return Int(key, value);
  if (status_ != nullptr && status_->Find(key) != nullptr) changed_.Raw(key, "null");
  return *this;
}

StatusChange& StatusChange::Text(std::string_view key, std::string_view value) {
  const codec::Value* const known = status_ == nullptr ? nullptr : status_->Find(key);
  const bool is_known = known != nullptr && known->is_string();
  if (value.empty()) {
    if (known != nullptr) changed_.Raw(key, "null");
  } else if (!is_known || known->text() != value) {
    changed_.Text(key, value);
  }
  return *this;
}

StatusChange& StatusChange::Raw(std::string_view key, std::string_view json) {
  changed_.Raw(key, json);
  return *this;
}

std::string StatusChange::Patch() const {
  return JsonText()
      .Raw("metadata", JsonText()
                           .Text("resourceVersion", object_.metadata().resource_version)
                           .Text("uid", object_.metadata().uid)
                           .Done())
      .Raw("status", changed_.Done())
      .Done();
}

Instant CreationTime(const api::ObjectMeta& metadata) {
  const Result<Instant> time = ParseTime(metadata.creation_timestamp);
  return time ? *time : Instant();
}

}  // namespace plimsoll::controller
