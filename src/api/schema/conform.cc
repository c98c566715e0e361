#include "api/schema/conform.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/go_text.h"
#include "base/quantity.h"
#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/time.h"
#include "codec/go_kind.h"

namespace plimsoll::api {
namespace {

using codec::Member;
using codec::Value;

// Upstream's limit, so that a hostile body cannot cause a huge response.
constexpr std::size_t kFindingsMax = 100;

/// A step of the path, on the walker's stack. Becomes text only when an error is reported.
struct PathStep {
  enum class Step : std::uint8_t { Field, Index, Key };
  const PathStep* parent = nullptr;
  Step step = Step::Field;
  const TypeDesc* owner = nullptr;  // for a Field
  std::string_view name;            // for a Field or a Key
  std::size_t index = 0;
};

/// Returns `spec.containers[0].name`. Strict decoding errors put a dot before map keys, field
/// paths put map keys in brackets.
std::string PathText(const PathStep* at, bool brackets) {
  if (at == nullptr) return {};
  std::string out = PathText(at->parent, brackets);
  if (at->step == PathStep::Step::Index) {
    return out.append("[").append(std::to_string(at->index)).append("]");
  }
  if (at->step == PathStep::Step::Key && brackets)
    return out.append("[").append(at->name).append("]");
  if (!out.empty()) out += '.';
  return out.append(at->name);
}

/// Returns the place in Go's notation, `PodSpec.spec.priority`: the struct that holds the
/// field, then the field names.
std::string GoPlaceText(const PathStep* at) {
  std::string fields;
  std::string_view owner;
  for (; at != nullptr; at = at->parent) {
    if (at->step != PathStep::Step::Field) continue;
    if (owner.empty()) owner = at->owner->go_name;
    fields.insert(0, at->name).insert(0, 1, '.');
  }
  owner.remove_prefix(owner.find('.') + 1);
  return fields.insert(0, owner);
}

/// Returns true for plain quantities like `250m` or `16Gi`, the common case.
/// Other texts go to the parser.
bool IsPlainQuantity(std::string_view text) {
  constexpr std::size_t kDigitsMax = 15;
  constexpr std::string_view kSuffixes[] = {"", "m", "Ki", "Mi", "Gi", "Ti", "k", "M", "G"};
  std::size_t digits = 0;
  while (digits < text.size() && IsDigit(text[digits])) ++digits;
  const std::string_view suffix = text.substr(digits);
  return digits > 0 && digits <= kDigitsMax &&
         std::ranges::find(kSuffixes, suffix) != std::end(kSuffixes);
}

class Conformer {
 public:
  Conformer(codec::Document& document, FieldValidation mode, std::vector<StrictFinding>& findings)
      : document_(document), mode_(mode), findings_(findings) {}

  /// Returns false for an error that ends decoding, such as those of Go's custom decoders. After a
  /// value of the wrong type Go continues; the first is reported unless a worse error follows.
  bool Walk(Value& value, const Shape& shape, const PathStep* at) {
    switch (shape.kind) {
      case ShapeKind::String:
        return value.is_string() || Mismatch(value, shape.go_name, at);
      case ShapeKind::Int32:
        return Integer(value, std::numeric_limits<std::int32_t>::min(),
                       std::numeric_limits<std::int32_t>::max(), shape.go_name, at);
      case ShapeKind::Int64:
        return Integer(value, std::numeric_limits<std::int64_t>::min(),
                       std::numeric_limits<std::int64_t>::max(), shape.go_name, at);
      case ShapeKind::Bool:
        return value.is_bool() || Mismatch(value, shape.go_name, at);
      case ShapeKind::Bytes:
        if (!value.is_string()) return Mismatch(value, shape.go_name, at);
        if (auto fault = CheckBase64(value.text())) Soft(*std::move(fault), at);
        return true;
      case ShapeKind::Quantity:
        return QuantityScalar(value, at);
      case ShapeKind::Time:
        return TimeScalar(value, ParseTime, at);
      case ShapeKind::MicroTime:
        return TimeScalar(value, ParseMicroTime, at);
      case ShapeKind::IntOrString:
        return IntOrString(value, at);
      case ShapeKind::Any:
        return true;
      case ShapeKind::Struct:
        return Struct(value, shape, at);
      case ShapeKind::List:
        return List(value, shape, at);
      case ShapeKind::Map:
        return Map(value, shape, at);
    }
    return true;
  }

  std::optional<Error>& fault() { return fault_; }

 private:
  /// Fast path for half of all values, which avoids Walk.
  static bool IsGoodText(const Value& value, const Shape& shape) {
    return shape.kind == ShapeKind::String && value.is_string();
  }

  bool Field(Value& value, const TypeDesc& owner, const FieldDesc& field, const PathStep* at) {
    if (IsGoodText(value, *field.shape)) return true;
    const PathStep here{at, PathStep::Step::Field, &owner, field.name, 0};
    return Walk(value, *field.shape, &here);
  }

  bool Struct(Value& value, const Shape& shape, const PathStep* at) {
    if (!value.is_object()) return Mismatch(value, shape.go_name, at);
    const TypeDesc& type = *shape.type;
    const std::span<Member> members = value.members();
    std::size_t kept = 0;
    for (Member& member : members) {
      const codec::FieldId field = FindField(type, member.key);
      if (field == codec::kUnknownField) {
        ReportUnknown(member, at);
        if (mode_ != FieldValidation::Strict) continue;
      } else {
        if (member.value.is_null()) continue;
        member.field = field;
        if (!Field(member.value, type, type.fields[field], at)) return false;
      }
      if (&member != &members[kept]) members[kept] = member;
      ++kept;
    }
    if (kept != members.size()) codec::Document::Truncate(value, kept);
    return true;
  }

  bool List(Value& value, const Shape& shape, const PathStep* at) {
    if (!value.is_array()) return Mismatch(value, shape.go_name, at);
    const Shape& element = *shape.element;
    PathStep here{at, PathStep::Step::Index, nullptr, {}, 0};
    for (Value& item : value.items()) {
      if (item.is_null()) {
        item = Zero(element, item.line());
      } else if (!Walk(item, element, &here)) {
        return false;
      }
      ++here.index;
    }
    return true;
  }

  bool Map(Value& value, const Shape& shape, const PathStep* at) {
    if (!value.is_object()) return Mismatch(value, shape.go_name, at);
    const Shape& element = *shape.element;
    for (Member& member : value.members()) {
      if (member.value.is_null()) {
        member.value = Zero(element, member.value.line());
        continue;
      }
      if (IsGoodText(member.value, element)) continue;
      const PathStep here{at, PathStep::Step::Key, nullptr, member.key, 0};
      if (!Walk(member.value, element, &here)) return false;
    }
    return true;
  }

  bool Integer(const Value& value, std::int64_t low, std::int64_t high, std::string_view go_name,
               const PathStep* at) {
    if (value.is_int() && value.AsInt() >= low && value.AsInt() <= high) return true;
    return Mismatch(value, go_name, at);
  }

  bool QuantityScalar(Value& value, const PathStep* at) {
    if (value.is_number()) {
      const Value text = value.is_int() ? document_.NewString(std::to_string(value.AsInt()))
                                        : Value::String(value.text());
      const std::uint32_t line = value.line();
      value = text;
      value.set_line(line);
    }
    if (value.is_string() && IsPlainQuantity(value.text())) return true;
    // Upstream passes the raw text of any value to the parser.
    const auto parsed =
        Quantity::FromScalar(value.is_string() ? value.text() : codec::GoKindText(value));
    return parsed.has_value() || Hard(parsed.error().message, at);
  }

  bool TimeScalar(const Value& value, Result<Instant> (*parse)(std::string_view),
                  const PathStep* at) {
    if (!value.is_string()) return Hard(MismatchText(value, "string", at), at);
    const auto parsed = parse(value.text());
    return parsed.has_value() || Hard(parsed.error().message, at);
  }

  bool IntOrString(const Value& value, const PathStep* at) {
    if (value.is_string()) return true;
    if (value.is_int() && std::in_range<std::int32_t>(value.AsInt())) return true;
    return Hard(MismatchText(value, "int32", at), at);
  }

  Value Zero(const Shape& shape, std::uint32_t line) {
    Value zero;
    switch (shape.kind) {
      case ShapeKind::String:
      case ShapeKind::Bytes:
        zero = Value::String("");
        break;
      case ShapeKind::Int32:
      case ShapeKind::Int64:
      case ShapeKind::IntOrString:
        zero = Value::Int(0);
        break;
      case ShapeKind::Bool:
        zero = Value::Bool(false);
        break;
      case ShapeKind::Quantity:
        zero = Value::String("0");
        break;
      case ShapeKind::Struct:
      case ShapeKind::Map:
        zero = document_.NewObject();
        break;
      case ShapeKind::List:
        zero = document_.NewArray();
        break;
      case ShapeKind::Time:
      case ShapeKind::MicroTime:
      case ShapeKind::Any:
        break;  // upstream also writes null
    }
    zero.set_line(line);
    return zero;
  }

  void ReportUnknown(const Member& member, const PathStep* at) {
    if (mode_ == FieldValidation::Ignore || findings_.size() >= kFindingsMax) return;
    const PathStep here{at, PathStep::Step::Field, nullptr, member.key, 0};
    findings_.push_back(
        {StrictFinding::Kind::UnknownField, PathText(&here, false), member.value.line()});
  }

  static std::string MismatchText(const Value& value, std::string_view go_name,
                                  const PathStep* at) {
    std::string out = "json: cannot unmarshal ";
    out += codec::GoKindText(value);
    // A number of the right type that is out of range is shown.
    if (value.is_number() && go_name.starts_with("int")) {
      out += ' ';
      out += value.is_int() ? std::to_string(value.AsInt()) : std::string(value.text());
    }
    out +=
        at == nullptr ? std::string(" into Go value") : " into Go struct field " + GoPlaceText(at);
    return out.append(" of type ").append(go_name);
  }

  bool Mismatch(const Value& value, std::string_view go_name, const PathStep* at) {
    if (!fault_) Soft(MismatchText(value, go_name, at), at);
    return true;
  }
  void Soft(std::string message, const PathStep* at) {
    if (!fault_) fault_ = Error{Reason::BadRequest, PathText(at, true), std::move(message)};
  }
  bool Hard(std::string message, const PathStep* at) {
    fault_ = Error{Reason::BadRequest, PathText(at, true), std::move(message)};
    return false;
  }

  codec::Document& document_;
  FieldValidation mode_;
  std::vector<StrictFinding>& findings_;
  std::optional<Error> fault_;
};

/// Returns true if the path consists of fields of the type, so that upstream's decoder reads it.
bool IsTyped(Shape shape, std::string_view path) {
  while (!path.empty()) {
    if (shape.kind == ShapeKind::List && path.starts_with('[')) {
      path.remove_prefix(std::min(path.find(']'), path.size() - 1) + 1);
      shape = *shape.element;
    } else if (shape.kind == ShapeKind::Map) {
      const Shape& element = *shape.element;
      // Map keys may contain dots.
      if (element.kind != ShapeKind::Struct) return true;
      path.remove_prefix(std::min(path.find('.', 1), path.size()));
      shape = element;
    } else if (shape.kind == ShapeKind::Struct) {
      if (path.starts_with('.')) path.remove_prefix(1);
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      const TypeDesc& type = *shape.type;
      const codec::FieldId field = FindField(type, name);
      if (field == codec::kUnknownField) return false;
      path.remove_prefix(name.size());
      shape = *type.fields[field].shape;
    } else {
      return false;
    }
  }
  return true;
}

/// Inserts the duplicate keys among the unknown fields, ordered by
/// line where lines are known.
void AddDuplicates(const codec::Document& document, std::string_view base, const Shape& root,
                   std::vector<StrictFinding>& findings) {
  for (const codec::DuplicateKey& duplicate : document.duplicates()) {
    std::string_view path = duplicate.path;
    if (!path.starts_with(base)) continue;
    path.remove_prefix(base.size());
    if (!base.empty()) {
      if (!path.starts_with('.')) continue;
      path.remove_prefix(1);
    }
    if (!IsTyped(root, path)) continue;
    StrictFinding finding{StrictFinding::Kind::DuplicateField, std::string(path), duplicate.line};
    // A key that occurs three times is reported once.
    const auto same = [&](const StrictFinding& other) {
      return other.kind == finding.kind && other.path == finding.path;
    };
    if (findings.size() >= kFindingsMax || std::ranges::any_of(findings, same)) continue;
    const auto later = [&](const StrictFinding& other) { return other.line > finding.line; };
    findings.insert(std::ranges::find_if(findings, later), std::move(finding));
  }
}

}  // namespace

std::string StrictFinding::Text() const {
  return (kind == Kind::UnknownField ? "unknown field " : "duplicate field ") + GoQuote(path);
}

Status Conform(codec::Document& document, codec::Value& value, const TypeDesc& type,
               FieldValidation mode, std::vector<StrictFinding>& findings, std::string_view base) {
  findings.clear();
  Conformer conformer(document, mode, findings);
  const Shape root{.kind = ShapeKind::Struct, .type = &type, .go_name = type.go_name};
  conformer.Walk(value, root, nullptr);
  if (mode != FieldValidation::Ignore && !document.duplicates().empty()) {
    AddDuplicates(document, base, root, findings);
  }
  if (conformer.fault()) return std::unexpected(*std::move(conformer.fault()));
  if (mode != FieldValidation::Strict || findings.empty()) return {};

  std::string message = "strict decoding error: ";
  for (const StrictFinding& finding : findings) {
    if (&finding != &findings.front()) message += ", ";
    message += finding.Text();
  }
  return FailAt(Reason::BadRequest, findings.front().path, std::move(message));
}

}  // namespace plimsoll::api
