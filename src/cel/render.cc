#include "cel/render.h"

#include <cmath>
#include <string_view>

#include "base/go_text.h"
#include "base/text/hex.h"
#include "cel/environment.h"
#include "cel/library/number_text.h"
#include "cel/library/time_text.h"

namespace plimsoll::cel {
namespace {

std::string RenderDouble(double value) {
  std::string text = ShortestText(value);
  // Ensures that it parses as a double.
  const bool is_plain = text.find_first_of(".eIN") == std::string::npos;
  return is_plain ? text + ".0" : text;
}

std::string RenderBytes(std::string_view bytes) {
  std::string out = "b\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7F && c != '"' && c != '\\') {
      out += c;
    } else {
      out += "\\x";
      AppendHexByte(c, out);
    }
  }
  return out + '"';
}

std::string RenderList(const Value& list) {
  std::string out = "[";
  for (const Value& element : list.elements()) {
    if (out.size() > 1) out += ", ";
    out += Render(element);
  }
  return out + "]";
}

std::string RenderMap(const Value& map) {
  std::string out = "{";
  for (const auto& [key, value] : map.map().entries()) {
    if (out.size() > 1) out += ", ";
    out += Render(key) + ": " + Render(value);
  }
  return out + "}";
}

std::string RenderObject(const ObjectValue& object) {
  std::string out(object.type().name);
  out += '{';
  for (std::size_t i = 0; i < object.type().fields.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::string(object.type().fields[i].name) + ": " + Render(object.field(i));
  }
  return out + "}";
}

std::string RenderOpaque(const OpaqueValue& opaque) {
  return std::string(opaque.maker()) + "(" + GoQuote(opaque.Text()) + ")";
}

}  // namespace

std::string Render(const Value& value) {
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
      return RenderDouble(value.as_double());
    case ValueKind::String:
      return GoQuote(value.text());
    case ValueKind::Bytes:
      return RenderBytes(value.text());
    case ValueKind::Duration:
      return "duration(" + GoQuote(DurationText(value.duration_ns())) + ")";
    case ValueKind::Timestamp:
      return "timestamp(" + GoQuote(TimestampText(value)) + ")";
    case ValueKind::List:
      return RenderList(value);
    case ValueKind::Map:
      return RenderMap(value);
    case ValueKind::Object:
      return RenderObject(value.object());
    case ValueKind::Opaque:
      return RenderOpaque(value.opaque());
    case ValueKind::Optional:
      if (value.optional() == nullptr) return "optional.none()";
      return "optional.of(" + Render(*value.optional()) + ")";
    case ValueKind::Type:
      return OutputText(value.type());
    case ValueKind::Error:
      return value.error().Text();
  }
  return {};
}

}  // namespace plimsoll::cel
