#include <array>

#include "cel/eval/access.h"
#include "cel/library/libraries.h"
#include "cel/library/time_text.h"
#include "cel/program.h"
#include "cel/syntax/macros.h"

namespace plimsoll::cel {
namespace {

std::string ComposeNotOptional(const ErrorValue& error) {
  return "value " + KeyText(error.first()) + " is not optional";
}

Value Wrap(Evaluation& evaluation, const Value& value) {
  return Value::Optional(new (evaluation.arena().Allocate<Value>(1)) Value(value));
}

/// Returns true for the zero value of a type: zero, empty, false.
bool IsZero(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return true;
    case ValueKind::Bool:
      return !value.as_bool();
    case ValueKind::Int:
    case ValueKind::Duration:
      return value.as_int() == 0;
    case ValueKind::Uint:
      return value.as_uint() == 0;
    case ValueKind::Double:
      return value.as_double() == 0;
    case ValueKind::String:
    case ValueKind::Bytes:
      return value.text().empty();
    case ValueKind::List:
      return value.elements().empty();
    case ValueKind::Map:
      return value.map().size() == 0;
    case ValueKind::Timestamp:
      return value.seconds() == kTimestampSecondsMin && value.nanoseconds() == 0;
    default:
      return false;
  }
}

Value Of(Evaluation& evaluation, const Value* arguments) { return Wrap(evaluation, arguments[0]); }

Value OfNonZeroValue(Evaluation& evaluation, const Value* arguments) {
  return IsZero(arguments[0]) ? Value::Optional(nullptr) : Wrap(evaluation, arguments[0]);
}

Value None(Evaluation&, const Value*) { return Value::Optional(nullptr); }

Value TakeValue(Evaluation& evaluation, const Value* arguments) {
  const Value* const value = arguments[0].optional();
  return value == nullptr ? evaluation.Fail("optional.none() dereference") : *value;
}

Value HasValue(Evaluation&, const Value* arguments) {
  return Value::Bool(arguments[0].optional() != nullptr);
}

Value Unwrap(Evaluation& evaluation, const Value* arguments) {
  const std::span<const Value> elements = arguments[0].elements();
  Value* const made = evaluation.arena().Allocate<Value>(elements.size());
  std::size_t size = 0;
  for (const Value& element : elements) {
    if (!element.is(ValueKind::Optional)) {
      return evaluation.FailLater(ComposeNotOptional, {}, element);
    }
    if (element.optional() != nullptr) new (made + size++) Value(*element.optional());
  }
  return Value::List({made, size});
}

Value First(Evaluation& evaluation, const Value* arguments) {
  const std::span<const Value> elements = arguments[0].elements();
  return elements.empty() ? Value::Optional(nullptr) : Wrap(evaluation, elements.front());
}

Value Last(Evaluation& evaluation, const Value* arguments) {
  const std::span<const Value> elements = arguments[0].elements();
  return elements.empty() ? Value::Optional(nullptr) : Wrap(evaluation, elements.back());
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "optional_of",
     .name = "optional.of",
     .signature = "V -> optional_type(V)",
     .implementation = Of},
    {.id = "optional_ofNonZeroValue",
     .name = "optional.ofNonZeroValue",
     .signature = "V -> optional_type(V)",
     .implementation = OfNonZeroValue},
    {.id = "optional_none",
     .name = "optional.none",
     .signature = "-> optional_type(V)",
     .implementation = None},
    {.id = "optional_value",
     .name = "value",
     .is_member = true,
     .signature = "optional_type(V) -> V",
     .implementation = TakeValue},
    {.id = "optional_hasValue",
     .name = "hasValue",
     .is_member = true,
     .signature = "optional_type(V) -> bool",
     .implementation = HasValue},
    {.id = "optional_or_optional",
     .name = "or",
     .is_member = true,
     .signature = "optional_type(V), optional_type(V) -> optional_type(V)"},
    {.id = "optional_orValue_value",
     .name = "orValue",
     .is_member = true,
     .signature = "optional_type(V), V -> V"},
    {.id = "select_optional_field", .name = "_?._", .signature = "dyn, string -> optional_type(V)"},
    {.id = "list_optindex_optional_int",
     .name = "_[?_]",
     .signature = "list(V), int -> optional_type(V)"},
    {.id = "map_optindex_optional_value",
     .name = "_[?_]",
     .signature = "map(K, V), K -> optional_type(V)"},
    {.id = "optional_list_optindex_optional_int",
     .name = "_[?_]",
     .signature = "optional_type(list(V)), int -> optional_type(V)"},
    {.id = "optional_map_optindex_optional_value",
     .name = "_[?_]",
     .signature = "optional_type(map(K, V)), K -> optional_type(V)"},
    {.id = "optional_list_index_int",
     .name = "_[_]",
     .signature = "optional_type(list(V)), int -> optional_type(V)"},
    {.id = "optional_map_index_value",
     .name = "_[_]",
     .signature = "optional_type(map(K, V)), K -> optional_type(V)"},
    {.id = "optional_unwrap",
     .name = "optional.unwrap",
     .signature = "list(optional_type(V)) -> list(V)",
     .implementation = Unwrap},
    {.id = "optional_unwrapOpt",
     .name = "unwrapOpt",
     .is_member = true,
     .signature = "list(optional_type(V)) -> list(V)",
     .implementation = Unwrap},
    {.id = "list_first",
     .name = "first",
     .is_member = true,
     .signature = "list(V) -> optional_type(V)",
     .implementation = First},
    {.id = "list_last",
     .name = "last",
     .is_member = true,
     .signature = "list(V) -> optional_type(V)",
     .implementation = Last},
});

constexpr auto kMacros = std::to_array<Macro>({
    {"optMap", 2, true, macros::OptMap},
    {"optFlatMap", 2, true, macros::OptFlatMap},
});

constexpr std::array<std::string_view, 1> kTypes{"optional_type(dyn)"};

}  // namespace

const Library kOptionalLibrary{
    .name = "optional", .functions = kFunctions, .macros = kMacros, .types = kTypes};

}  // namespace plimsoll::cel
