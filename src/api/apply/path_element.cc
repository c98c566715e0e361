#include "api/apply/path_element.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "base/go_text.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Member;

/// Upstream's order of values of different types: numbers, strings, booleans, lists, objects, null.
int Rank(const codec::Value& value) {
  switch (value.kind()) {
    case codec::Value::Kind::Int:
    case codec::Value::Kind::Number:
      return 0;
    case codec::Value::Kind::String:
      return 1;
    case codec::Value::Kind::Bool:
      return 2;
    case codec::Value::Kind::Array:
      return 3;
    case codec::Value::Kind::Object:
      return 4;
    case codec::Value::Kind::Null:
      return 5;
  }
  return 5;
}

double AsDouble(const codec::Value& value) {
  if (value.is_int()) return static_cast<double>(value.AsInt());
  double number = 0;
  const std::string_view text = value.text();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::strong_ordering CompareNumbers(const codec::Value& a, const codec::Value& b) {
  if (a.is_int() && b.is_int()) return a.AsInt() <=> b.AsInt();
  const double left = AsDouble(a);
  const double right = AsDouble(b);
  if (left < right) return std::strong_ordering::less;
  return left > right ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::strong_ordering CompareValues(const codec::Value& a, const codec::Value& b);

std::strong_ordering CompareMembers(std::span<const Member> a, std::span<const Member> b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const auto order = a[i].key <=> b[i].key; order != 0) return order;
    if (const auto order = CompareValues(a[i].value, b[i].value); order != 0) return order;
  }
  return a.size() <=> b.size();
}

std::strong_ordering CompareValues(const codec::Value& a, const codec::Value& b) {
  if (const auto order = Rank(a) <=> Rank(b); order != 0) return order;
  switch (a.kind()) {
    case codec::Value::Kind::Int:
    case codec::Value::Kind::Number:
      return CompareNumbers(a, b);
    case codec::Value::Kind::String:
      return a.text() <=> b.text();
    case codec::Value::Kind::Bool:
      return static_cast<int>(a.AsBool()) <=> static_cast<int>(b.AsBool());
    case codec::Value::Kind::Array:
      for (std::size_t i = 0; i < a.items().size() && i < b.items().size(); ++i) {
        const auto order = CompareValues(a.items()[i], b.items()[i]);
        if (order != 0) return order;
      }
      return a.items().size() <=> b.items().size();
    case codec::Value::Kind::Object:
      return CompareMembers(a.members(), b.members());
    case codec::Value::Kind::Null:
      break;
  }
  return std::strong_ordering::equal;
}

/// Parses `{"name":"a","port":80}` without escapes, the usual case. The full parser allocates a
/// document per call, and a pod has dozens of such keys.
class PlainKeyReader {
 public:
  PlainKeyReader(codec::Document& arena, std::string_view text) : arena_(arena), text_(text) {}

  /// Returns null if the text needs the full parser.
  codec::Value Read() {
    if (!Skip('{')) return {};
    codec::Value object = arena_.NewObject(2);
    do {
      const codec::Value key = ReadText();
      if (!key.is_string() || !Skip(':')) return {};
      const codec::Value value = ReadScalar();
      if (value.is_null()) return {};
      arena_.AppendMember(object, {key.text(), value});
    } while (Skip(','));
    if (!Skip('}') || at_ != text_.size()) return {};
    return object;
  }

  codec::Value ReadScalar() {
    if (at_ < text_.size() && text_[at_] == '"') return ReadText();
    std::int64_t number = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc{}) return {};
    at_ += static_cast<std::size_t>(end - begin);
    const bool ends = at_ == text_.size() || text_[at_] == ',' || text_[at_] == '}';
    return ends ? codec::Value::Int(number) : codec::Value();
  }

  bool at_end() const { return at_ == text_.size(); }

 private:
  bool Skip(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  codec::Value ReadText() {
    if (!Skip('"')) return {};
    const std::size_t end = text_.find_first_of("\"\\", at_);
    if (end == std::string_view::npos || text_[end] == '\\') return {};
    const std::string_view text = text_.substr(at_, end - at_);
    at_ = end + 1;
    return codec::Value::String(text);
  }

  codec::Document& arena_;
  std::string_view text_;
  std::size_t at_ = 0;
};

Result<codec::Value> ParseWhole(codec::Document& arena, std::string_view json) {
  const auto parsed = PL_TRY(codec::ParseJson(std::string(json)));
  return arena.Clone(parsed->root());
}

std::string ScalarText(const codec::Value& value) {
  return value.is_string() ? GoQuote(value.text()) : codec::WriteJson(value);
}

}  // namespace

Result<PathElement> PathElement::Parse(codec::Document& arena, std::string_view text) {
  if (text.size() < 2) return Fail(Reason::BadRequest, "key must be 2 characters long:");
  if (text[1] != ':') return Fail(Reason::BadRequest, "missing colon: " + std::string(text));
  const std::string_view rest = text.substr(2);
  PlainKeyReader plain(arena, rest);
  switch (text[0]) {
    case 'f':
      return Field(rest);
    case 'v': {
      codec::Value value = plain.ReadScalar();
      if (value.is_null() || !plain.at_end()) value = PL_TRY(ParseWhole(arena, rest));
      return Value(value);
    }
    case 'k': {
      codec::Value keys = plain.Read();
      if (keys.is_null()) keys = PL_TRY(ParseWhole(arena, rest));
      if (!keys.is_object())
        return Fail(Reason::BadRequest, "expect { or n, but found " + std::string(rest));
      std::ranges::sort(keys.members(), {}, &Member::key);
      return Key(keys);
    }
    case 'i':
      return Index(PL_TRY(GoParseInt(rest)));
    default:
      return Fail(Reason::NotFound, "unknown path element type");
  }
}

std::string_view PathElement::Encode(codec::Document& out) const {
  constexpr std::string_view kPrefixes = "fkvi";
  if (kind_ == Kind::Field && name().size() < 62) {
    // Nearly all names are short; this avoids a temporary string.
    std::array<char, 64> text{'f', ':'};
    std::ranges::copy(name(), text.begin() + 2);
    return out.CopyText({text.data(), name().size() + 2});
  }
  std::string text{kPrefixes[static_cast<std::size_t>(kind_)], ':'};
  if (kind_ == Kind::Field) {
    text += name();
  } else {
    codec::AppendJson(value_, text);
  }
  return out.CopyText(text);
}

std::string PathElement::Text() const {
  switch (kind_) {
    case Kind::Field:
      return "." + std::string(name());
    case Kind::Key: {
      std::string text = "[";
      for (const Member& member : value_.members()) {
        if (text.size() > 1) text += ',';
        text += std::string(member.key) + "=" + ScalarText(member.value);
      }
      return text + "]";
    }
    case Kind::Value:
      return "[=" + ScalarText(value_) + "]";
    case Kind::Index:
      break;
  }
  return "[" + std::to_string(value_.AsInt()) + "]";
}

std::strong_ordering operator<=>(const PathElement& a, const PathElement& b) {
  if (const auto order = a.kind_ <=> b.kind_; order != 0) return order;
  if (a.kind_ == PathElement::Kind::Field) return a.value_.text() <=> b.value_.text();
  return CompareValues(a.value_, b.value_);
}

}  // namespace plimsoll::api
