#include "cel_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/go_duration.h"
#include "cel/environment.h"
#include "cel/library/time_text.h"

namespace plimsoll::golden {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string DoubleText(double value) {
  if (std::isnan(value)) return "double NaN";
  return fmt::format("double {:a}", value);
}

/// Returns the fraction of a second, such as `.5`; "" for a whole second.
std::string FractionText(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return {};
  std::string digits = fmt::format(".{:09}", nanoseconds);
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

std::string ExactDurationText(std::int64_t nanoseconds) {
  const bool is_negative = nanoseconds < 0;
  const std::uint64_t size = is_negative ? 0 - static_cast<std::uint64_t>(nanoseconds)
                                         : static_cast<std::uint64_t>(nanoseconds);
  return fmt::format("duration {}{}{}s", is_negative ? "-" : "", size / kSecond,
                     FractionText(static_cast<std::int64_t>(size % kSecond)));
}

std::string UtcTimestampText(const cel::Value& value) {
  std::int64_t days = value.seconds() / kDaySeconds;
  std::int64_t second = value.seconds() % kDaySeconds;
  if (second < 0) {
    second += kDaySeconds;
    --days;
  }
  // Howard Hinnant's civil_from_days; years begin in March.
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * shifted + 2) / 5 + 1;
  const std::int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return fmt::format("timestamp {:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", year, month, day,
                     second / 3600, second / 60 % 60, second % 60,
                     FractionText(value.nanoseconds()));
}

std::string Base64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= count ? kBase64Digits[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

std::string FromBase64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char digit : text) {
    const std::size_t value = kBase64Digits.find(digit);
    if (value == std::string_view::npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return bytes;
}

std::string Joined(std::vector<std::string> parts, std::string_view before, bool is_sorted) {
  if (is_sorted) std::ranges::sort(parts);
  return fmt::format("{}[{}]", before, fmt::join(parts, ", "));
}

std::string ListText(const cel::Value& list) {
  std::vector<std::string> parts;
  for (const cel::Value& element : list.elements()) parts.push_back(ValueText(element));
  return Joined(std::move(parts), "list", false);
}

std::string MapText(const cel::Value& map) {
  std::vector<std::string> parts;
  for (const auto& entry : map.map().entries()) {
    parts.push_back(ValueText(entry.key) + ": " + ValueText(entry.value));
  }
  return Joined(std::move(parts), "map", true);
}

std::string ObjectText(const cel::Value& object) {
  std::vector<std::string> parts;
  const auto& fields = object.object().type().fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    parts.push_back(
        fmt::format("string {}: {}", fields[i].name, ValueText(object.object().field(i))));
  }
  return Joined(std::move(parts), "map", true);
}

/// Returns `quantity 1Gi`: the last part of the type's name, as in the golden files.
std::string OpaqueText(const cel::OpaqueValue& value) {
  std::string name(value.type()->name());
  name.erase(0, name.rfind('.') + 1);
  if (name == "NamedFormat") name = "format";
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name + " " + value.Text();
}

}  // namespace

std::string ValueText(const cel::Value& value) {
  using cel::ValueKind;
  switch (value.kind()) {
    case ValueKind::Null:
      return "null true";
    case ValueKind::Bool:
      return value.as_bool() ? "bool true" : "bool false";
    case ValueKind::Int:
      return fmt::format("int {}", value.as_int());
    case ValueKind::Uint:
      return fmt::format("uint {}", value.as_uint());
    case ValueKind::Double:
      return DoubleText(value.as_double());
    case ValueKind::String:
      return fmt::format("string {}", value.text());
    case ValueKind::Bytes:
      return "bytes " + Base64(value.text());
    case ValueKind::Duration:
      return ExactDurationText(value.duration_ns());
    case ValueKind::Timestamp:
      return UtcTimestampText(value);
    case ValueKind::List:
      return ListText(value);
    case ValueKind::Map:
      return MapText(value);
    case ValueKind::Object:
      return ObjectText(value);
    case ValueKind::Opaque:
      return OpaqueText(value.opaque());
    case ValueKind::Optional:
      return "optional " + (value.optional() == nullptr ? "none" : ValueText(*value.optional()));
    case ValueKind::Type:
      return fmt::format("type {}", value.type()->name());
    case ValueKind::Error:
      return "error " + value.error().Text();
  }
  return {};
}

std::string EncodedValueText(const codec::Value& encoded) {
  if (!encoded.is_object() || encoded.members().empty()) return "?";
  const std::string_view name = encoded.members()[0].key;
  const codec::Value& value = encoded.members()[0].value;
  if (name == "bool") return value.AsBool() ? "bool true" : "bool false";
  if (name == "null") return "null true";
  if (name == "double") return DoubleText(std::strtod(std::string(value.text()).c_str(), nullptr));
  std::vector<std::string> parts;
  if (name == "list") {
    for (const codec::Value& element : value.items()) parts.push_back(EncodedValueText(element));
    return Joined(std::move(parts), "list", false);
  }
  if (name == "map") {
    for (const codec::Value& entry : value.items()) {
      parts.push_back(EncodedValueText(entry.items()[0]) + ": " +
                      EncodedValueText(entry.items()[1]));
    }
    return Joined(std::move(parts), "map", true);
  }
  if (name == "optional") {
    return "optional " + (value.is_null() ? "none" : EncodedValueText(value));
  }
  return fmt::format("{} {}", name, value.is_string() ? value.text() : "?");
}

namespace {

/// Decodes plain JSON, in which all numbers are doubles.
cel::Value DecodeJson(const codec::Value& json, cel::Arena& arena) {
  if (json.is_bool()) return cel::Value::Bool(json.AsBool());
  if (json.is_string()) return cel::Value::String(arena.Copy(json.text()));
  if (json.is_int()) return cel::Value::Double(static_cast<double>(json.AsInt()));
  if (json.is_number()) {
    return cel::Value::Double(std::strtod(std::string(json.text()).c_str(), nullptr));
  }
  if (json.is_array()) {
    auto* const elements = arena.Allocate<cel::Value>(json.items().size());
    std::size_t size = 0;
    for (const codec::Value& item : json.items()) elements[size++] = DecodeJson(item, arena);
    return cel::Value::List({elements, size});
  }
  if (json.is_object()) {
    auto* const entries = arena.Allocate<cel::MapValue::Entry>(json.members().size());
    std::size_t size = 0;
    for (const codec::Member& member : json.members()) {
      entries[size++] = {cel::Value::String(arena.Copy(member.key)),
                         DecodeJson(member.value, arena)};
    }
    return cel::Value::Map(cel::MapValue::Make({entries, size}, arena));
  }
  return cel::Value::Null();
}

/// Decodes a well-known message from protobuf's JSON: 64-bit numbers are texts, bytes are base64.
cel::Value DecodeMessage(std::string_view type, const codec::Value& json, cel::Arena& arena) {
  const std::string text(json.is_string() ? json.text() : "");
  if (type.ends_with(".UInt32Value") || type.ends_with(".UInt64Value")) {
    return cel::Value::Uint(json.is_int() ? static_cast<std::uint64_t>(json.AsInt())
                                          : std::strtoull(text.c_str(), nullptr, 10));
  }
  if (type.ends_with(".Int32Value") || type.ends_with(".Int64Value")) {
    return cel::Value::Int(json.is_int() ? json.AsInt() : std::strtoll(text.c_str(), nullptr, 10));
  }
  if (type.ends_with(".DoubleValue") || type.ends_with(".FloatValue")) {
    return json.is_string() ? cel::Value::Double(std::strtod(text.c_str(), nullptr))
                            : DecodeJson(json, arena);
  }
  if (type.ends_with(".BytesValue")) return cel::Value::Bytes(arena.Copy(FromBase64(text)));
  return DecodeJson(json, arena);
}

}  // namespace

std::optional<cel::Value> DecodeValue(const codec::Value& encoded, cel::Arena& arena) {
  const std::string_view name = encoded.members()[0].key;
  const codec::Value& value = encoded.members()[0].value;
  if (name == "null") return cel::Value::Null();
  if (name == "bool") return cel::Value::Bool(value.AsBool());
  if (name == "list") {
    auto* const elements = arena.Allocate<cel::Value>(value.items().size());
    std::size_t size = 0;
    for (const codec::Value& item : value.items()) {
      const auto element = DecodeValue(item, arena);
      if (!element) return std::nullopt;
      elements[size++] = *element;
    }
    return cel::Value::List({elements, size});
  }
  if (name == "map") {
    auto* const entries = arena.Allocate<cel::MapValue::Entry>(value.items().size());
    std::size_t size = 0;
    for (const codec::Value& item : value.items()) {
      const auto key = DecodeValue(item.items()[0], arena);
      const auto mapped = DecodeValue(item.items()[1], arena);
      if (!key || !mapped) return std::nullopt;
      entries[size++] = {*key, *mapped};
    }
    return cel::Value::Map(cel::MapValue::Make({entries, size}, arena));
  }
  if (name == "object" && value.Find("json") != nullptr) {
    return DecodeMessage(value.Find("type")->text(), *value.Find("json"), arena);
  }
  if (!value.is_string()) return std::nullopt;
  const std::string text(value.text());
  if (name == "int") return cel::Value::Int(std::strtoll(text.c_str(), nullptr, 10));
  if (name == "uint") return cel::Value::Uint(std::strtoull(text.c_str(), nullptr, 10));
  if (name == "double") return cel::Value::Double(std::strtod(text.c_str(), nullptr));
  if (name == "string") return cel::Value::String(arena.Copy(text));
  if (name == "bytes") return cel::Value::Bytes(arena.Copy(FromBase64(text)));
  if (name == "timestamp") return cel::ParseTimestamp(text);
  if (name == "duration") {
    return ParseGoDuration(text).transform(
        [](Duration duration) { return cel::Value::Duration(duration.count()); });
  }
  return std::nullopt;
}

}  // namespace plimsoll::golden
