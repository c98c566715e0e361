#include "api/apply/ownership.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/go_text.h"

namespace plimsoll::api {
namespace {

using codec::Value;

/// Parses the default of a key, which is a scalar: `"TCP"`, `0`.
Value ScalarOf(std::string_view json) {
  if (json.size() >= 2 && json.front() == '"') {
    return Value::String(json.substr(1, json.size() - 2));
  }
  if (json == "true" || json == "false") return Value::Bool(json == "true");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), number);
  const bool is_whole = error == std::errc{} && end == json.data() + json.size();
  return is_whole ? Value::Int(number) : Value::Number(json);
}

std::string Quoted(std::span<const std::string_view> keys) {
  std::string out = "[";
  for (const std::string_view key : keys) {
    if (out.size() > 1) out += ' ';
    out += GoQuote(key);
  }
  return out + "]";
}

}  // namespace

Ownership Ownership::Of(const Shape& shape, const FieldDesc* field) {
  switch (shape.kind) {
    case ShapeKind::Struct: {
      const MapType said = field == nullptr ? MapType::Unset : field->map_type;
      if ((said == MapType::Unset ? shape.type->map_type : said) == MapType::Atomic) return {};
      return Of(*shape.type);
    }
    case ShapeKind::Map:
      if (field != nullptr && field->map_type == MapType::Atomic) return {};
      return {Kind::Map, nullptr, shape.element, {}};
    case ShapeKind::List:
      if (field == nullptr) return {};
      if (field->list_type == ListType::Map) {
        return {Kind::Keyed, nullptr, shape.element, field->list_map_keys};
      }
      if (field->list_type == ListType::Set) return {Kind::Set, nullptr, nullptr, {}};
      return {};
    case ShapeKind::Any:
      return {Kind::Map, nullptr, nullptr, {}};
    default:
      return {};
  }
}

Ownership Ownership::Member(std::string_view key) const {
  if (kind == Kind::Fields) {
    const codec::FieldId field = FindField(*type, key);
    if (field == codec::kUnknownField) return {};
    const FieldDesc& desc = type->fields[field];
    return Of(*desc.shape, &desc);
  }
  return element == nullptr ? Ownership{} : Of(*element, nullptr);
}

Ownership Ownership::Element() const {
  return element == nullptr ? Ownership{} : Of(*element, nullptr);
}

Result<PathElement> Ownership::ElementPath(codec::Document& arena, const Value& item) const {
  if (kind == Kind::Set) {
    if (item.is_object()) {
      return Fail(Reason::BadRequest,
                  "associative list without keys has an element that's a map type");
    }
    if (item.is_array()) {
      return Fail(Reason::BadRequest, "not supported: associative list with lists as elements");
    }
    if (item.is_null()) {
      return Fail(Reason::BadRequest,
                  "associative list without keys has an element that's an explicit null");
    }
    return PathElement::Value(item);
  }
  if (item.is_null()) {
    return Fail(Reason::BadRequest, "associative list with keys may not have a null element");
  }
  if (!item.is_object()) {
    return Fail(Reason::BadRequest, "associative list with keys may not have non-map elements");
  }
  Value object = arena.NewObject(keys.size());
  for (const std::string_view key : keys) {
    if (const Value* const value = item.Find(key)) {
      arena.AppendMember(object, {key, *value});
      continue;
    }
    const codec::FieldId field = FindField(*element->type, key);
    if (field == codec::kUnknownField) continue;
    const std::string_view fallback = element->type->fields[field].default_json;
    if (!fallback.empty()) arena.AppendMember(object, {key, ScalarOf(fallback)});
  }
  if (object.members().empty()) {
    return Fail(Reason::BadRequest,
                "associative list with keys has an element that omits all key fields " +
                    Quoted(keys) + " (and doesn't have default values for any key fields)");
  }
  std::ranges::sort(object.members(), {}, &codec::Member::key);
  return PathElement::Key(object);
}

}  // namespace plimsoll::api
