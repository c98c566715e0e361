#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_path.h"

namespace plimsoll::api {

enum class FieldErrorType : std::uint8_t {
  NotFound,
  Required,
  Duplicate,
  Invalid,
  NotSupported,
  Forbidden,
  TooLong,
  TooMany,
  TooFew,
  Internal,
  TypeInvalid,
};

/// Offending value, as a message shows it. Upstream prints plain Go strings with %q and all other
/// values as JSON, including its own string types; the two escape differently.
class BadValue {
 public:
  static BadValue None();                              // shown as ""
  static BadValue Null();                              // null
  static BadValue String(std::string_view text);       // Go-quoted
  static BadValue TypedString(std::string_view text);  // JSON-quoted: effects, operators, …
  static BadValue Int(std::int64_t value);
  static BadValue Bool(bool value);
  static BadValue Json(std::string json);  // other values, already serialized

  const std::string& json() const { return json_; }
  const std::string& shown() const { return shown_; }

 private:
  BadValue(std::string json, std::string shown)
      : json_(std::move(json)), shown_(std::move(shown)) {}
  std::string json_;
  std::string shown_;
};

/// One validation error, in upstream's words.
struct FieldError {
  FieldErrorType type = FieldErrorType::Invalid;
  std::string field;
  BadValue bad_value = BadValue::None();
  std::string detail;

  /// Returns the text without the field: `Invalid value: "x": must be …`
  std::string Body() const;
  /// Returns the text shown to users: `spec.x: Invalid value: "x": must be …`
  std::string Text() const;
};

/// Returns the reason of a cause in a Status, such as `FieldValueInvalid`.
std::string_view CauseReason(FieldErrorType type);

/// Collects all validation errors of an object, so that a user can fix them at once.
class FieldErrors {
 public:
  void Required(const FieldPath& at, std::string_view detail);
  void Invalid(const FieldPath& at, BadValue value, std::string_view detail);
  void Invalid(const FieldPath& at, std::string_view value, std::string_view detail) {
    Invalid(at, BadValue::String(value), detail);
  }
  void NotSupported(const FieldPath& at, BadValue value,
                    std::span<const std::string_view> supported);
  void NotSupported(const FieldPath& at, BadValue value,
                    std::initializer_list<std::string_view> supported) {
    NotSupported(at, std::move(value), std::span(supported.begin(), supported.size()));
  }
  void Duplicate(const FieldPath& at, BadValue value, std::string_view detail = {});
  void Forbidden(const FieldPath& at, std::string_view detail);
  void NotFound(const FieldPath& at, BadValue value);
  /// `may not be more than N bytes`
  void TooLong(const FieldPath& at, std::size_t bytes_max);
  /// `must have at most N items`
  void TooMany(const FieldPath& at, std::size_t count, std::size_t count_max);
  void Internal(const FieldPath& at, std::string_view detail);

  void Add(FieldError error) { list_.push_back(std::move(error)); }
  void Append(const FieldErrors& other) {
    list_.insert(list_.end(), other.list_.begin(), other.list_.end());
  }

  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  const std::vector<FieldError>& list() const { return list_; }

  /// Returns a single error bare, several as `[a, b]` without duplicates: `Pod "x" is invalid: …`.
  std::string Text() const;

 private:
  std::vector<FieldError> list_;
};

}  // namespace plimsoll::api
