#include "cel/value_text.h"

#include <cctype>

#include "base/go_text.h"
#include "cel/eval/mapping.h"
#include "cel/library/number_text.h"
#include "cel/library/time_text.h"

namespace plimsoll::cel {
namespace {

std::string ListText(const Value& list) {
  std::string text = "[";
  std::string_view comma;
  for (const Value& element : list.elements()) {
    text += comma;
    text += ValueText(element);
    comma = ", ";
  }
  return text + "]";
}

std::string MappingText(const Value& mapping) {
  std::string text = "{";
  std::string_view comma;
  for (std::size_t place = 0; place < MappingSize(mapping); ++place) {
    text += comma;
    text += ValueText(MappingKey(mapping, place)) + ": " + ValueText(MappingValue(mapping, place));
    comma = ", ";
  }
  return text + "}";
}

/// Whole doubles get a point, so that they are not taken for ints.
std::string DoubleText(double value) {
  std::string text = ShortestText(value);
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

/// `quantity("1Gi")`: the last part of the type's name.
std::string OpaqueText(const OpaqueValue& value) {
  const std::string_view type = value.type()->name();
  std::string name(type.substr(type.rfind('.') + 1));
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name + "(" + GoQuote(value.Text()) + ")";
}

}  // namespace

std::string ValueText(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return "null";
    case ValueKind::Bool:
      return value.as_bool() ? "true" : "false";
    case ValueKind::Int:
      return std::to_string(value.as_int());
    case ValueKind::Uint:
      return std::to_string(value.as_uint()) + "u";
    case ValueKind::Double:
      return DoubleText(value.as_double());
    case ValueKind::String:
      return GoQuote(value.text());
    case ValueKind::Bytes:
      return "b" + GoQuote(value.text());
    case ValueKind::Duration:
      return "duration(" + GoQuote(DurationText(value.duration_ns())) + ")";
    case ValueKind::Timestamp:
      return "timestamp(" + GoQuote(TimestampText(value)) + ")";
    case ValueKind::List:
      return ListText(value);
    case ValueKind::Map:
    case ValueKind::Object:
      return MappingText(value);
    case ValueKind::Opaque:
      return OpaqueText(value.opaque());
    case ValueKind::Optional:
      return value.optional() == nullptr ? "optional.none()"
                                         : "optional.of(" + ValueText(*value.optional()) + ")";
    case ValueKind::Type:
      return std::string(value.type()->name());
    case ValueKind::Error:
      return "error: " + value.error().Text();
  }
  return {};
}

}  // namespace plimsoll::cel
