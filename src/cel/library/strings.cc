#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/go_text.h"
#include "base/text/utf8.h"
#include "base/time.h"
#include "cel/check/validators.h"
#include "cel/library/find_text.h"
#include "cel/library/libraries.h"
#include "cel/library/make_value.h"
#include "cel/library/number_text.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/library/strings_format.h"
#include "cel/library/strings_parts.h"
#include "cel/library/valid_text.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

std::string IndexFault(const ErrorValue& error) {
  return "index out of range: " + std::to_string(error.first().as_int());
}
Value IndexOutOfRange(Evaluation& evaluation, std::int64_t index) {
  return evaluation.FailLater(IndexFault, {}, Value::Int(index));
}

std::string RangeFault(const ErrorValue& error) {
  return "invalid substring range. start: " + std::to_string(error.first().as_int()) +
         ", end: " + std::to_string(error.second().as_int());
}

/// A text indexed by code points. Indices come from expressions and may have any value.
class RuneText {
 public:
  RuneText(Evaluation& evaluation, const Value& value)
      : text_(ToRunes(value.text(), evaluation.arena())), count_(CountCodePoints(text_)) {}

  std::int64_t count() const { return static_cast<std::int64_t>(count_); }
  bool is_ascii() const { return count_ == text_.size(); }
  bool Holds(std::int64_t index) const { return index >= 0 && index <= count(); }
  /// REQUIRES: the index is within the text.
  std::size_t OffsetOf(std::int64_t index) const {
    const auto position = static_cast<std::size_t>(index);
    return is_ascii() ? position : RuneOffset(text_, position);
  }
  std::int64_t IndexOf(std::size_t offset) const {
    return static_cast<std::int64_t>(is_ascii() ? offset
                                                : CountCodePoints(text_.substr(0, offset)));
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::size_t count_;
};

Value CharAt(Evaluation& evaluation, const Value* arguments) {
  evaluation.SpendOnBytes(arguments[0].text().size());
  const RuneText text(evaluation, arguments[0]);
  const std::int64_t index = arguments[1].as_int();
  if (!text.Holds(index)) return IndexOutOfRange(evaluation, index);
  const std::string_view rest = text.text().substr(text.OffsetOf(index));
  return Value::String(rest.empty() ? rest : rest.substr(0, DecodeRune(rest).bytes));
}

Value FindFirst(Evaluation& evaluation, const Value* arguments, std::int64_t from) {
  if (from < 0) return IndexOutOfRange(evaluation, from);
  const RuneText text(evaluation, arguments[0]);
  const std::string_view part = ToRunes(arguments[1].text(), evaluation.arena());
  if (part.empty()) return Value::Int(std::min(from, text.count()));
  if (from >= text.count()) return Value::Int(-1);
  const std::size_t found = FindText(text.text(), part, text.OffsetOf(from));
  return Value::Int(found == std::string_view::npos ? -1 : text.IndexOf(found));
}

Value IndexOf(Evaluation& evaluation, const Value* arguments) {
  return FindFirst(evaluation, arguments, 0);
}
Value IndexOfFrom(Evaluation& evaluation, const Value* arguments) {
  return FindFirst(evaluation, arguments, arguments[2].as_int());
}

Value FindLast(const RuneText& text, std::string_view part, std::int64_t from) {
  if (from >= text.count()) return Value::Int(-1);
  const std::size_t found = FindLastText(text.text(), part, text.OffsetOf(from));
  return Value::Int(found == std::string_view::npos ? -1 : text.IndexOf(found));
}

Value LastIndexOf(Evaluation& evaluation, const Value* arguments) {
  const RuneText text(evaluation, arguments[0]);
  const std::string_view part = ToRunes(arguments[1].text(), evaluation.arena());
  if (part.empty()) return Value::Int(text.count());
  if (text.text().size() < part.size()) return Value::Int(-1);
  return FindLast(text, part, text.count() - 1);
}

Value LastIndexOfFrom(Evaluation& evaluation, const Value* arguments) {
  const std::int64_t from = arguments[2].as_int();
  if (from < 0) return IndexOutOfRange(evaluation, from);
  const RuneText text(evaluation, arguments[0]);
  const std::string_view part = ToRunes(arguments[1].text(), evaluation.arena());
  if (part.empty()) return Value::Int(std::min(from, text.count()));
  return FindLast(text, part, from);
}

template <char kFirst, char kLast>
Value ChangeCase(Evaluation& evaluation, const Value* arguments) {
  const std::string_view text = ToRunes(arguments[0].text(), evaluation.arena());
  if (text.empty()) return Value::String(text);
  char* const changed = evaluation.arena().Allocate<char>(text.size());
  std::transform(text.begin(), text.end(), changed, [](char c) {
    return static_cast<char>(c >= kFirst && c <= kLast ? c ^ ('a' - 'A') : c);
  });
  return Value::String({changed, text.size()});
}

Value Substring(Evaluation& evaluation, const Value* arguments) {
  const RuneText text(evaluation, arguments[0]);
  const std::int64_t start = arguments[1].as_int();
  if (!text.Holds(start)) return IndexOutOfRange(evaluation, start);
  return Value::String(text.text().substr(text.OffsetOf(start)));
}

Value SubstringTo(Evaluation& evaluation, const Value* arguments) {
  const std::int64_t start = arguments[1].as_int();
  const std::int64_t end = arguments[2].as_int();
  if (start > end) return evaluation.FailLater(RangeFault, {}, arguments[1], arguments[2]);
  const RuneText text(evaluation, arguments[0]);
  if (!text.Holds(start)) return IndexOutOfRange(evaluation, start);
  if (!text.Holds(end)) return IndexOutOfRange(evaluation, end);
  const std::size_t first = text.OffsetOf(start);
  return Value::String(text.text().substr(first, text.OffsetOf(end) - first));
}

Value Trim(Evaluation&, const Value* arguments) {
  return Value::String(GoTrimSpace(arguments[0].text()));
}

/// Escape letter of each byte that has one; 0 for others.
constexpr std::array<char, 256> kQuoteLetters = [] {
  constexpr std::string_view kEscaped = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  std::array<char, 256> letters{};
  for (std::size_t i = 0; i < kEscaped.size(); ++i) {
    letters[static_cast<unsigned char>(kEscaped[i])] = kLetters[i];
  }
  return letters;
}();

Value Quote(Evaluation& evaluation, const Value* arguments) {
  const std::string_view text = ToRunes(arguments[0].text(), evaluation.arena());
  const auto letter = [](char c) { return kQuoteLetters[static_cast<unsigned char>(c)]; };
  std::size_t size = text.size() + 2;
  for (const char c : text) size += letter(c) != 0 ? 1 : 0;
  char* const out = evaluation.arena().Allocate<char>(size);
  char* end = out;
  *end++ = '"';
  for (const char c : text) {
    if (letter(c) != 0) *end++ = '\\';
    *end++ = letter(c) != 0 ? letter(c) : c;
  }
  *end = '"';
  return Value::String({out, size});
}

/// Formats as Go's %v.
std::string ShownText(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return "0";
    case ValueKind::Bool:
      return value.as_bool() ? "true" : "false";
    case ValueKind::Int:
      return std::to_string(value.as_int());
    case ValueKind::Uint:
      return std::to_string(value.as_uint());
    case ValueKind::Double:
      return ShortestText(value.as_double());
    case ValueKind::Duration:
      return FormatDuration(Duration(value.duration_ns()));
    default:
      return std::string(value.RuntimeType()->name());
  }
}

/// Computes the size first, so that the result is allocated once.
Value JoinWith(Evaluation& evaluation, const Value& list, std::string_view separator) {
  const std::span<const Value> elements = list.elements();
  // Costs only cover the result, which is small for empty texts.
  evaluation.Spend(elements.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) size += separator.size();
    if (!elements[i].is(ValueKind::String)) {
      return evaluation.FailCopied("join: invalid input: " + ShownText(elements[i]));
    }
    size += elements[i].text().size();
    if (size > kTextBytesMax) return TextTooLarge(evaluation);
  }
  if (size == 0) return Value::String({});
  char* const out = evaluation.arena().Allocate<char>(size);
  char* end = CopyText(elements[0].text(), out);
  for (const Value& element : elements.subspan(1)) {
    end = CopyText(separator, end);
    end = CopyText(element.text(), end);
  }
  return Value::String({out, size});
}

Value Join(Evaluation& evaluation, const Value* arguments) {
  return JoinWith(evaluation, arguments[0], "");
}
Value JoinSeparated(Evaluation& evaluation, const Value* arguments) {
  return JoinWith(evaluation, arguments[0], arguments[1].text());
}

std::uint64_t CostOfJoin(std::span<const Value>, Value result) {
  return SizeCost(ActualSize(result), 2 * kTextCost);
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_char_at_int",
     .name = "charAt",
     .is_member = true,
     .signature = "string, int -> string",
     .implementation = CharAt},
    {.id = "string_index_of_string",
     .name = "indexOf",
     .is_member = true,
     .signature = "string, string -> int",
     .implementation = IndexOf},
    {.id = "string_index_of_string_int",
     .name = "indexOf",
     .is_member = true,
     .signature = "string, string, int -> int",
     .implementation = IndexOfFrom},
    {.id = "string_last_index_of_string",
     .name = "lastIndexOf",
     .is_member = true,
     .signature = "string, string -> int",
     .implementation = LastIndexOf},
    {.id = "string_last_index_of_string_int",
     .name = "lastIndexOf",
     .is_member = true,
     .signature = "string, string, int -> int",
     .implementation = LastIndexOfFrom},
    {.id = "string_lower_ascii",
     .name = "lowerAscii",
     .is_member = true,
     .signature = "string -> string",
     .implementation = ChangeCase<'A', 'Z'>},
    {.id = "string_replace_string_string",
     .name = "replace",
     .is_member = true,
     .signature = "string, string, string -> string",
     .implementation = Replace},
    {.id = "string_replace_string_string_int",
     .name = "replace",
     .is_member = true,
     .signature = "string, string, string, int -> string",
     .implementation = ReplaceTimes},
    {.id = "string_split_string",
     .name = "split",
     .is_member = true,
     .signature = "string, string -> list(string)",
     .implementation = Split},
    {.id = "string_split_string_int",
     .name = "split",
     .is_member = true,
     .signature = "string, string, int -> list(string)",
     .implementation = SplitTimes},
    {.id = "string_substring_int",
     .name = "substring",
     .is_member = true,
     .signature = "string, int -> string",
     .implementation = Substring},
    {.id = "string_substring_int_int",
     .name = "substring",
     .is_member = true,
     .signature = "string, int, int -> string",
     .implementation = SubstringTo},
    {.id = "string_trim",
     .name = "trim",
     .is_member = true,
     .signature = "string -> string",
     .implementation = Trim},
    {.id = "string_upper_ascii",
     .name = "upperAscii",
     .is_member = true,
     .signature = "string -> string",
     .implementation = ChangeCase<'a', 'z'>},
    {.id = "string_format",
     .name = "format",
     .is_member = true,
     .signature = "string, list(dyn) -> string",
     .implementation = FormatText},
    {.id = "strings_quote",
     .name = "strings.quote",
     .signature = "string -> string",
     .implementation = Quote},
    {.id = "list_join",
     .name = "join",
     .is_member = true,
     .signature = "list(string) -> string",
     .implementation = Join},
    {.id = "list_join_string",
     .name = "join",
     .is_member = true,
     .signature = "list(string), string -> string",
     .implementation = JoinSeparated},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"indexOf", CostOfTraversal},
    {"join", CostOfJoin},
    {"lastIndexOf", CostOfTraversal},
    {"lowerAscii", CostOfReading},
    {"replace", CostOfReadingTwice},
    {"split", CostOfReadingTwice},
    {"substring", CostOfReading},
    {"trim", CostOfReading},
    {"upperAscii", CostOfReading},
});

constexpr auto kDefaultRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"string_format", CostOfReadingHeld},
    {"strings_quote", CostOfReadingHeld},
});

std::optional<CallEstimate> FormatCost(CostContext& context, const CostCall& call) {
  return CallEstimate{.cost = context.SizeOf(call.target).Scale(kTextCost)};
}

/// Every code point may be escaped; the sum wraps around, as upstream's does.
std::optional<CallEstimate> QuoteCost(CostContext& context, const CostCall& call) {
  const CostRange size = context.SizeOf(call.arguments[0]);
  return CallEstimate{.cost = size.Scale(kTextCost),
                      .result_size = CostRange{size.min + 2, size.max * 2 + 2}};
}

/// Returns ceil(a / b) in double arithmetic, as upstream divides. 2^64 and more saturate.
std::uint64_t DivideUp(std::uint64_t a, std::uint64_t b) {
  constexpr double kLimit = 18446744073709551616.0;  // 2^64
  const double quotient = std::ceil(static_cast<double>(a) / static_cast<double>(b));
  return quotient >= kLimit ? kUnbounded : static_cast<std::uint64_t>(quotient);
}

/// Returns the size after replacing every `what` by `with`; an empty `what` matches around every
/// code point. If the text cannot grow (or shrink), its size is the bound.
CostRange ReplacedSize(CostRange text, CostRange what, CostRange with) {
  CostRange count;
  CostRange kept;
  if (what.min == 0) {
    count.max = AddCost(text.max, 1);
    kept.max = text.max;
  } else if (with.max <= what.min) {
    kept.max = text.max;
  } else {
    count.max = DivideUp(text.max, what.min);
  }
  if (what.max == 0) {
    count.min = AddCost(text.min, 1);
    kept.min = text.min;
  } else if (what.max <= with.min) {
    kept.min = text.min;
  } else {
    count.min = DivideUp(text.min, what.max);
  }
  return count.Multiply(with).Add(kept);
}

std::optional<CallEstimate> ReplaceCost(CostContext& context, const CostCall& call) {
  if (call.target == kNoNode || call.arguments.size() < 2) return std::nullopt;
  const CostRange text = context.SizeOf(call.target);
  return CallEstimate{.cost = text.Scale(2 * kTextCost),
                      .result_size = ReplacedSize(text, context.SizeOf(call.arguments[0]),
                                                  context.SizeOf(call.arguments[1]))};
}

std::optional<CallEstimate> SplitCost(CostContext& context, const CostCall& call) {
  if (call.target == kNoNode) return std::nullopt;
  const CostRange text = context.SizeOf(call.target);
  CostRange parts{0, text.max};
  if (call.arguments.size() > 1) {
    const Value* const limit = context.LiteralOf(call.arguments[1]);
    if (limit != nullptr && limit->is(ValueKind::Int)) {
      parts.max = static_cast<std::uint64_t>(limit->as_int());
    }
  }
  return CallEstimate{.cost = text.Scale(2 * kTextCost), .result_size = parts};
}

std::optional<CallEstimate> JoinCost(CostContext& context, const CostCall& call) {
  if (call.target == kNoNode) return std::nullopt;
  const CostRange list = context.SizeOf(call.target);
  CostRange size;
  if (!context.TypeOf(call.target)->parameters().empty()) {
    size = list.Multiply(context.FindElementSize(call.target).value_or(CostRange::Unknown()));
  }
  if (!call.arguments.empty()) {
    const CostRange separators{list.min > 0 ? list.min - 1 : 0, list.max > 0 ? list.max - 1 : 0};
    size = size.Add(context.SizeOf(call.arguments[0]).Multiply(separators));
  }
  return CallEstimate{.cost = size.Scale(kTextCost), .result_size = size};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"string_format", FormatCost},
    {"strings_quote", QuoteCost},
});
constexpr auto kStaticFunctionCosts = std::to_array<StaticCostRule>({
    {"lowerAscii", StaticCostOfTarget},
    {"upperAscii", StaticCostOfTarget},
    {"substring", StaticCostOfTarget},
    {"trim", StaticCostOfTarget},
    {"replace", ReplaceCost},
    {"split", SplitCost},
    {"join", JoinCost},
});

constexpr std::array<Validate, 1> kValidators{ValidateFormats};
constexpr std::array<std::string_view, 1> kMixedLiterals{"format"};

}  // namespace

const Library kStringsLibrary{.name = "strings",
                              .functions = kFunctions,
                              .validators = kValidators,
                              .function_costs = kStaticFunctionCosts,
                              .default_costs = kStaticCosts,
                              .function_runtime_costs = kRuntimeCosts,
                              .default_runtime_costs = kDefaultRuntimeCosts,
                              .mixed_literal_functions = kMixedLiterals};

}  // namespace plimsoll::cel
