#include "api/field_error.h"

#include <algorithm>

#include "base/go_text.h"

namespace plimsoll::api {
namespace {

struct TypeText {
  std::string_view cause;
  std::string_view shown;
  bool shows_value;
};

TypeText TextOf(FieldErrorType type) {
  switch (type) {
    case FieldErrorType::NotFound:
      return {"FieldValueNotFound", "Not found", true};
    case FieldErrorType::Required:
      return {"FieldValueRequired", "Required value", false};
    case FieldErrorType::Duplicate:
      return {"FieldValueDuplicate", "Duplicate value", true};
    case FieldErrorType::Invalid:
      return {"FieldValueInvalid", "Invalid value", true};
    case FieldErrorType::NotSupported:
      return {"FieldValueNotSupported", "Unsupported value", true};
    case FieldErrorType::Forbidden:
      return {"FieldValueForbidden", "Forbidden", false};
    case FieldErrorType::TooLong:
      return {"FieldValueTooLong", "Too long", false};
    case FieldErrorType::TooMany:
      return {"FieldValueTooMany", "Too many", true};
    case FieldErrorType::TooFew:
      return {"FieldValueTooFew", "Too few", true};
    case FieldErrorType::Internal:
      return {"InternalError", "Internal error", false};
    case FieldErrorType::TypeInvalid:
      return {"FieldValueTypeInvalid", "Invalid value", true};
  }
  return {"InternalError", "Internal error", false};
}

}  // namespace

BadValue BadValue::None() { return {"\"\"", "\"\""}; }
BadValue BadValue::Null() { return {"null", "null"}; }
BadValue BadValue::String(std::string_view text) { return {GoJsonQuote(text), GoQuote(text)}; }
BadValue BadValue::TypedString(std::string_view text) { return Json(GoJsonQuote(text)); }
BadValue BadValue::Int(std::int64_t value) { return Json(std::to_string(value)); }
BadValue BadValue::Bool(bool value) { return Json(value ? "true" : "false"); }
BadValue BadValue::Json(std::string json) {
  std::string shown = json;
  return {std::move(json), std::move(shown)};
}

std::string_view CauseReason(FieldErrorType type) { return TextOf(type).cause; }

std::string FieldError::Body() const {
  const TypeText text = TextOf(type);
  std::string out(text.shown);
  if (text.shows_value) out += ": " + bad_value.shown();
  if (!detail.empty()) out += ": " + detail;
  return out;
}

std::string FieldError::Text() const { return field + ": " + Body(); }

void FieldErrors::Required(const FieldPath& at, std::string_view detail) {
  Add({FieldErrorType::Required, at.Text(), BadValue::None(), std::string(detail)});
}

void FieldErrors::Invalid(const FieldPath& at, BadValue value, std::string_view detail) {
  Add({FieldErrorType::Invalid, at.Text(), std::move(value), std::string(detail)});
}

void FieldErrors::NotSupported(const FieldPath& at, BadValue value,
                               std::span<const std::string_view> supported) {
  std::string detail;
  for (const std::string_view one : supported) {
    detail += (detail.empty() ? "supported values: " : ", ") + GoQuote(one);
  }
  Add({FieldErrorType::NotSupported, at.Text(), std::move(value), std::move(detail)});
}

void FieldErrors::Duplicate(const FieldPath& at, BadValue value, std::string_view detail) {
  Add({FieldErrorType::Duplicate, at.Text(), std::move(value), std::string(detail)});
}

void FieldErrors::Forbidden(const FieldPath& at, std::string_view detail) {
  Add({FieldErrorType::Forbidden, at.Text(), BadValue::None(), std::string(detail)});
}

void FieldErrors::NotFound(const FieldPath& at, BadValue value) {
  Add({FieldErrorType::NotFound, at.Text(), std::move(value), {}});
}

void FieldErrors::TooLong(const FieldPath& at, std::size_t bytes_max) {
  Add({FieldErrorType::TooLong, at.Text(), BadValue::String("<value omitted>"),
       "may not be more than " + std::to_string(bytes_max) + " bytes"});
}

void FieldErrors::TooMany(const FieldPath& at, std::size_t count, std::size_t count_max) {
  Add({FieldErrorType::TooMany, at.Text(), BadValue::Int(static_cast<std::int64_t>(count)),
       "must have at most " + std::to_string(count_max) + " items"});
}

void FieldErrors::Internal(const FieldPath& at, std::string_view detail) {
  Add({FieldErrorType::Internal, at.Text(), BadValue::None(), std::string(detail)});
}

std::string FieldErrors::Text() const {
  std::vector<std::string> texts;
  for (const FieldError& error : list_) {
    std::string text = error.Text();
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  if (texts.size() == 1) return texts.front();
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ", ";
    out += text;
  }
  return out + "]";
}

}  // namespace plimsoll::api
