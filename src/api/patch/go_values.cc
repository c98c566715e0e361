#include "api/patch/go_values.h"

#include <algorithm>
#include <vector>

namespace plimsoll::api {
namespace {

using codec::Member;
using codec::Value;

template <class Print>
std::string Composite(const Value& value, Print print) {
  std::string out;
  if (value.is_array()) {
    out = "[";
    for (const Value& item : value.items()) {
      if (out.size() > 1) out += ' ';
      out += print(item);
    }
    return out + "]";
  }
  std::vector<const Member*> members;
  for (const Member& member : value.members()) members.push_back(&member);
  std::ranges::sort(members, {}, &Member::key);
  out = "map[";
  for (const Member* const member : members) {
    if (member != members.front()) out += ' ';
    out += member->key;
    out += ':';
    out += print(member->value);
  }
  return out + "]";
}

}  // namespace

std::string GoText(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Null:
      return "<nil>";
    case Value::Kind::Bool:
      return value.AsBool() ? "true" : "false";
    case Value::Kind::Int:
      return std::to_string(value.AsInt());
    case Value::Kind::Number:
    case Value::Kind::String:
      return std::string(value.text());
    case Value::Kind::Array:
    case Value::Kind::Object:
      break;
  }
  return Composite(value, GoText);
}

std::string GoStringText(const Value& value) {
  if (value.is_string()) return std::string(value.text());
  if (value.is_null()) return "%!s(<nil>)";
  if (value.is_array() || value.is_object()) return Composite(value, GoStringText);
  return "%!s(" + std::string(GoTypeText(value)) + "=" + GoText(value) + ")";
}

std::string_view GoTypeText(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Null:
      return "%!s(<nil>)";
    case Value::Kind::Bool:
      return "bool";
    case Value::Kind::Int:
      return "int64";
    case Value::Kind::Number:
      return "float64";
    case Value::Kind::String:
      return "string";
    case Value::Kind::Array:
      return "[]interface {}";
    case Value::Kind::Object:
      return "map[string]interface {}";
  }
  return {};
}

}  // namespace plimsoll::api
