#include "cli/manifest/type_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "api/schema/find_path.h"
#include "codec/json.h"

namespace plimsoll::cli {
namespace {

using api::Shape;
using api::ShapeKind;
using codec::Value;

constexpr std::size_t kShownBytes = 60;

/// Takes the next step of a path: `[key]`, or a name up to the next dot or bracket.
std::string_view TakeStep(std::string_view& path) {
  if (path.starts_with('[')) {
    const std::size_t end = std::min(path.find(']'), path.size());
    const std::string_view step = path.substr(1, end - 1);
    path.remove_prefix(std::min(end + 1, path.size()));
    return step;
  }
  if (path.starts_with('.')) path.remove_prefix(1);
  const std::string_view step = path.substr(0, path.find_first_of(".["));
  path.remove_prefix(step.size());
  return step;
}

/// Returns the shape at the path, or null if the type has no such field.
const Shape* ShapeAt(const api::TypeDesc& type, std::string_view path) {
  Shape root;
  root.kind = ShapeKind::Struct;
  root.type = &type;
  const Shape* shape = nullptr;
  while (!path.empty()) {
    const Shape& at = shape == nullptr ? root : *shape;
    const std::string_view step = TakeStep(path);
    if (at.kind == ShapeKind::Struct) {
      const codec::FieldId field = api::FindField(*at.type, step);
      if (field == codec::kUnknownField) return nullptr;
      shape = at.type->fields[field].shape;
    } else if (at.kind == ShapeKind::List || at.kind == ShapeKind::Map) {
      shape = at.element;
    } else {
      return nullptr;
    }
  }
  return shape;
}

/// Returns the value of a scalar as it stands in a message.
std::string ScalarText(const Value& value) {
  std::string text = value.is_string() ? std::string(value.text()) : codec::WriteJson(value);
  if (text.size() > kShownBytes) {
    std::size_t end = kShownBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
    text += "…";
  }
  return text;
}

std::string Found(const Value& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "fields";
  if (value.is_string()) return fmt::format("the text \"{}\"", ScalarText(value));
  return ScalarText(value);
}

bool IsWholeNumber(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns what to do, if only the quotes are wrong.
std::string QuoteAdvice(const Shape& shape, const Value& value) {
  if (shape.kind == ShapeKind::String && !value.is_array() && !value.is_object()) {
    return fmt::format("; put it in quotes: \"{}\"", ScalarText(value));
  }
  if (!value.is_string()) return "";
  const bool is_number = shape.kind == ShapeKind::Int32 || shape.kind == ShapeKind::Int64;
  const bool is_bool = shape.kind == ShapeKind::Bool;
  if ((is_number && IsWholeNumber(value.text())) ||
      (is_bool && (value.text() == "true" || value.text() == "false"))) {
    return "; remove the quotes";
  }
  return "";
}

std::string Range(std::int64_t low, std::int64_t high) {
  return fmt::format("a whole number from {} to {}", low, high);
}

/// Returns what the shape takes, or an empty text if the value has it.
std::string Wanted(const Shape& shape, const Value& value) {
  using Small = std::numeric_limits<std::int32_t>;
  using Large = std::numeric_limits<std::int64_t>;
  const bool is_small = value.is_int() && std::in_range<std::int32_t>(value.AsInt());
  switch (shape.kind) {
    case ShapeKind::String:
      return value.is_string() ? "" : "a text";
    case ShapeKind::Bytes:
      return "a text in base64";
    case ShapeKind::Int32:
      if (is_small) return "";
      return value.is_number() ? Range(Small::min(), Small::max()) : "a whole number";
    case ShapeKind::Int64:
      if (value.is_int()) return "";
      return value.is_number() ? Range(Large::min(), Large::max()) : "a whole number";
    case ShapeKind::Bool:
      return value.is_bool() ? "" : "true or false";
    case ShapeKind::Quantity:
      return "a quantity such as 500m, 2 or 1Gi";
    case ShapeKind::Time:
    case ShapeKind::MicroTime:
      return "a time such as \"2026-01-31T12:00:00Z\"";
    case ShapeKind::IntOrString:
      return value.is_string() || is_small ? "" : "a whole number or a text";
    case ShapeKind::Struct:
      return value.is_object() ? "" : "fields, one `name: value` per line";
    case ShapeKind::Map:
      return value.is_object() ? "" : "a map, one `key: value` per line";
    case ShapeKind::List:
      return value.is_array() ? "" : "a list, each item after `- `";
    case ShapeKind::Any:
      return "";
  }
  return "";
}

}  // namespace

std::string FaultOfType(const api::TypeDesc& type, const Value& tree, std::string_view field) {
  const Shape* const shape = ShapeAt(type, field);
  if (shape == nullptr) return "";
  const Value* const value = api::FindPath(tree, field);
  if (value == nullptr) return "";
  const std::string wanted = Wanted(*shape, *value);
  if (wanted.empty()) return "";
  return fmt::format("{}: want {}, not {}{}", field, wanted, Found(*value),
                     QuoteAdvice(*shape, *value));
}

}  // namespace plimsoll::cli
