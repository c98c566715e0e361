#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "cel/library/compare.h"
#include "cel/library/go_sort.h"
#include "cel/library/libraries.h"
#include "cel/library/make_value.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/limits.h"
#include "cel/program.h"
#include "cel/syntax/macros.h"

namespace plimsoll::cel {
namespace {

std::string Number(std::int64_t number) { return std::to_string(number); }

Value Slice(Evaluation& evaluation, const Value* arguments) {
  const std::int64_t start = arguments[1].as_int();
  const std::int64_t end = arguments[2].as_int();
  const std::span<const Value> elements = arguments[0].elements();
  const auto refuse = [&](const std::string& why) {
    return evaluation.FailCopied("cannot slice(" + Number(start) + ", " + Number(end) + "), " +
                                 why);
  };
  if (start < 0 || end < 0) return refuse("negative indexes not supported");
  if (start > end) return refuse("start index must be less than or equal to end index");
  const auto size = static_cast<std::int64_t>(elements.size());
  if (end > size) return refuse("list is length " + Number(size));
  return Value::List(
      elements.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)));
}

/// Nested lists that share their elements are small until they are flattened. The steps also count
/// empty lists, which leave nothing in the result.
struct Flattening {
  std::vector<Value> flat;
  std::size_t steps = 0;

  bool Append(std::span<const Value> elements, std::int64_t depth) {
    for (const Value& element : elements) {
      if (++steps > kElementsMax) return false;
      if (depth == 0 || !element.is(ValueKind::List)) {
        flat.push_back(element);
      } else if (!Append(element.elements(), depth - 1)) {
        return false;
      }
    }
    return true;
  }
};

Value FlattenTo(Evaluation& evaluation, const Value& list, std::int64_t depth) {
  if (depth < 0) return evaluation.Fail("level must be non-negative");
  Flattening flattening;
  const bool fits = flattening.Append(list.elements(), depth);
  constexpr std::uint64_t kWorkPerElement = 4;
  evaluation.Spend(flattening.steps * kWorkPerElement);
  if (!fits) return ListTooLarge(evaluation);
  return MakeList(evaluation.arena(), flattening.flat);
}

std::string TypeText(const Value& value) {
  if (value.is(ValueKind::List)) return "list(dyn)";
  if (value.is(ValueKind::Map) || value.is(ValueKind::Object)) return "map(dyn, dyn)";
  return std::string(value.RuntimeType()->name());
}

Value Flatten(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::List)) {
    return evaluation.FailCopied("no such overload: " + TypeText(arguments[0]) + ".flatten()");
  }
  return FlattenTo(evaluation, arguments[0], 1);
}

Value FlattenDepth(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::List) || !arguments[1].is(ValueKind::Int)) {
    return evaluation.FailCopied("no such overload: " + TypeText(arguments[0]) + ".flatten(" +
                                 TypeText(arguments[1]) + ")");
  }
  return FlattenTo(evaluation, arguments[0], arguments[1].as_int());
}

/// Sorts by the keys, which must be of one ordered kind.
Value SortBy(Evaluation& evaluation, std::span<const Value> elements, std::span<const Value> keys) {
  if (keys.empty()) return Value::List({});
  if (!IsOrdered(keys[0])) return evaluation.Fail("list elements must be comparable");
  const ValueKind kind = keys[0].kind();
  if (std::any_of(keys.begin(), keys.end(), [&](const Value& key) { return !key.is(kind); })) {
    return evaluation.Fail("list elements must have the same type");
  }
  if (kind == ValueKind::String || kind == ValueKind::Bytes) {
    for (const Value& key : keys) evaluation.SpendOnBytes(key.text().size());
  }
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto at = [&](int place) -> std::uint32_t& {
    return order[static_cast<std::size_t>(place)];
  };
  GoSorter([&](int i, int j) { return IsLess(keys[at(i)], keys[at(j)]); },
           [&](int i, int j) { std::swap(at(i), at(j)); })
      .Sort(static_cast<int>(keys.size()));
  Value* const sorted = evaluation.arena().Allocate<Value>(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = elements[order[i]];
  return Value::List({sorted, order.size()});
}

Value Sort(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::List)) return evaluation.Fail("no such overload: sort");
  return SortBy(evaluation, arguments[0].elements(), arguments[0].elements());
}

Value SortByKeys(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::List)) {
    return evaluation.Fail("no such overload: @sortByAssociatedKeys");
  }
  if (!arguments[1].is(ValueKind::List)) return evaluation.NoSuchOverload();
  const std::span<const Value> elements = arguments[0].elements();
  const std::span<const Value> keys = arguments[1].elements();
  if (elements.size() != keys.size()) {
    return evaluation.FailCopied(
        "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "
        "but got " +
        std::to_string(elements.size()) + " and " + std::to_string(keys.size()) +
        " elements respectively");
  }
  return SortBy(evaluation, elements, keys);
}

Value Range(Evaluation& evaluation, const Value* arguments) {
  const std::int64_t size = arguments[0].as_int();
  if (size < 0) {
    return evaluation.FailCopied("lists.range: size must be non-negative, got " + Number(size));
  }
  if (size > kRangeMax) {
    return evaluation.FailCopied("lists.range: size " + Number(size) +
                                 " exceeds maximum allowed (" + Number(kRangeMax) + ")");
  }
  if (size == 0) return Value::List({});
  const auto count = static_cast<std::size_t>(size);
  Value* const numbers = evaluation.arena().Allocate<Value>(count);
  for (std::int64_t i = 0; i < size; ++i) numbers[i] = Value::Int(i);
  return Value::List({numbers, count});
}

Value Reverse(Evaluation& evaluation, const Value* arguments) {
  const std::span<const Value> elements = arguments[0].elements();
  if (elements.empty()) return arguments[0];
  Value* const reversed = evaluation.arena().Allocate<Value>(elements.size());
  std::reverse_copy(elements.begin(), elements.end(), reversed);
  return Value::List({reversed, elements.size()});
}

Value Distinct(Evaluation& evaluation, const Value* arguments) {
  const std::span<const Value> elements = arguments[0].elements();
  if (elements.size() * elements.size() > kComparisonsMax) {
    return evaluation.Fail("too many elements to compare");
  }
  std::vector<Value> unique;
  for (const Value& element : elements) {
    if (!Includes(evaluation, unique, element)) unique.push_back(element);
  }
  return MakeList(evaluation.arena(), unique);
}

/// Cost of the call and of the list that each of these creates.
constexpr std::uint64_t kNewListCost = 1 + kListCost;

std::uint64_t CostOfResult(std::span<const Value>, Value result) {
  return AddCost(ActualSize(result), kNewListCost);
}

std::uint64_t CostOfFlatten(std::span<const Value> arguments, Value) {
  double depth = 1;
  if (arguments.size() == 2 && arguments[1].is(ValueKind::Int) && arguments[1].as_int() >= 0) {
    depth = static_cast<double>(arguments[1].as_int());
  }
  return AddCost(FloorCost(static_cast<double>(ActualSize(arguments[0])) * depth), kNewListCost);
}

/// Every element is compared with every other, twice. Texts are also read.
std::uint64_t CostOfComparing(std::span<const Value> arguments, Value) {
  // The keys computed by sortBy(), or the list itself.
  const Value& compared = arguments.back();
  if (!compared.is(ValueKind::List)) return kCostFailure;
  const auto size = static_cast<double>(ActualSize(arguments[0]));
  double factor = 2;
  if (!compared.elements().empty()) {
    const Value& first = compared.elements()[0];
    if (first.is(ValueKind::String) || first.is(ValueKind::Bytes)) factor += kTextCost;
  }
  return AddCost(FloorCost(size * size * factor), kNewListCost);
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "list_slice",
     .name = "slice",
     .is_member = true,
     .signature = "list(T), int, int -> list(T)",
     .implementation = Slice},
    {.id = "list_flatten",
     .name = "flatten",
     .is_member = true,
     .signature = "list(list(T)) -> list(T)",
     .implementation = Flatten,
     .unguarded = true},
    {.id = "list_flatten_int",
     .name = "flatten",
     .is_member = true,
     .signature = "list(dyn), int -> list(dyn)",
     .implementation = FlattenDepth,
     .unguarded = true},
    {.id = "list_int_sort",
     .name = "sort",
     .is_member = true,
     .signature = "list(int) -> list(int)",
     .implementation = Sort,
     .unguarded = true},
    {.id = "list_uint_sort",
     .name = "sort",
     .is_member = true,
     .signature = "list(uint) -> list(uint)",
     .implementation = Sort,
     .unguarded = true},
    {.id = "list_double_sort",
     .name = "sort",
     .is_member = true,
     .signature = "list(double) -> list(double)",
     .implementation = Sort,
     .unguarded = true},
    {.id = "list_bool_sort",
     .name = "sort",
     .is_member = true,
     .signature = "list(bool) -> list(bool)",
     .implementation = Sort,
     .unguarded = true},
    {.id = "list_google.protobuf.Duration_sort",
     .name = "sort",
     .is_member = true,
     .signature = "list(duration) -> list(duration)",
     .implementation = Sort,
     .unguarded = true},
    {.id = "list_google.protobuf.Timestamp_sort",
     .name = "sort",
     .is_member = true,
     .signature = "list(timestamp) -> list(timestamp)",
     .implementation = Sort,
     .unguarded = true},
    {.id = "list_string_sort",
     .name = "sort",
     .is_member = true,
     .signature = "list(string) -> list(string)",
     .implementation = Sort,
     .unguarded = true},
    {.id = "list_bytes_sort",
     .name = "sort",
     .is_member = true,
     .signature = "list(bytes) -> list(bytes)",
     .implementation = Sort,
     .unguarded = true},
    {.id = "list_int_sortByAssociatedKeys",
     .name = "@sortByAssociatedKeys",
     .is_member = true,
     .signature = "list(T), list(int) -> list(T)",
     .implementation = SortByKeys,
     .unguarded = true},
    {.id = "list_uint_sortByAssociatedKeys",
     .name = "@sortByAssociatedKeys",
     .is_member = true,
     .signature = "list(T), list(uint) -> list(T)",
     .implementation = SortByKeys,
     .unguarded = true},
    {.id = "list_double_sortByAssociatedKeys",
     .name = "@sortByAssociatedKeys",
     .is_member = true,
     .signature = "list(T), list(double) -> list(T)",
     .implementation = SortByKeys,
     .unguarded = true},
    {.id = "list_bool_sortByAssociatedKeys",
     .name = "@sortByAssociatedKeys",
     .is_member = true,
     .signature = "list(T), list(bool) -> list(T)",
     .implementation = SortByKeys,
     .unguarded = true},
    {.id = "list_google.protobuf.Duration_sortByAssociatedKeys",
     .name = "@sortByAssociatedKeys",
     .is_member = true,
     .signature = "list(T), list(duration) -> list(T)",
     .implementation = SortByKeys,
     .unguarded = true},
    {.id = "list_google.protobuf.Timestamp_sortByAssociatedKeys",
     .name = "@sortByAssociatedKeys",
     .is_member = true,
     .signature = "list(T), list(timestamp) -> list(T)",
     .implementation = SortByKeys,
     .unguarded = true},
    {.id = "list_string_sortByAssociatedKeys",
     .name = "@sortByAssociatedKeys",
     .is_member = true,
     .signature = "list(T), list(string) -> list(T)",
     .implementation = SortByKeys,
     .unguarded = true},
    {.id = "list_bytes_sortByAssociatedKeys",
     .name = "@sortByAssociatedKeys",
     .is_member = true,
     .signature = "list(T), list(bytes) -> list(T)",
     .implementation = SortByKeys,
     .unguarded = true},
    {.id = "lists_range",
     .name = "lists.range",
     .signature = "int -> list(int)",
     .implementation = Range},
    {.id = "list_reverse",
     .name = "reverse",
     .is_member = true,
     .signature = "list(T) -> list(T)",
     .implementation = Reverse},
    {.id = "list_distinct",
     .name = "distinct",
     .is_member = true,
     .signature = "list(T) -> list(T)",
     .implementation = Distinct},
});

constexpr auto kMacros = std::to_array<Macro>({
    {"sortBy", 2, true, macros::SortBy},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"list_bool_sort", CostOfComparing},
    {"list_bool_sortByAssociatedKeys", CostOfComparing},
    {"list_bytes_sort", CostOfComparing},
    {"list_bytes_sortByAssociatedKeys", CostOfComparing},
    {"list_distinct", CostOfComparing},
    {"list_double_sort", CostOfComparing},
    {"list_double_sortByAssociatedKeys", CostOfComparing},
    {"list_flatten", CostOfFlatten},
    {"list_flatten_int", CostOfFlatten},
    {"list_google.protobuf.Duration_sort", CostOfComparing},
    {"list_google.protobuf.Duration_sortByAssociatedKeys", CostOfComparing},
    {"list_google.protobuf.Timestamp_sort", CostOfComparing},
    {"list_google.protobuf.Timestamp_sortByAssociatedKeys", CostOfComparing},
    {"list_int_sort", CostOfComparing},
    {"list_int_sortByAssociatedKeys", CostOfComparing},
    {"list_reverse", CostOfResult},
    {"list_slice", CostOfResult},
    {"list_string_sort", CostOfComparing},
    {"list_string_sortByAssociatedKeys", CostOfComparing},
    {"list_uint_sort", CostOfComparing},
    {"list_uint_sortByAssociatedKeys", CostOfComparing},
    {"lists_range", CostOfResult},
});

std::optional<CallEstimate> SliceCost(CostContext& context, const CostCall& call) {
  const std::uint64_t end =
      StaticNumber(context, call.arguments[1], context.SizeOf(call.target).max);
  // Wraps around if the end is before the start, as upstream's does.
  return StaticCostOfNewList(CostRange::Fixed(end - StaticNumber(context, call.arguments[0], 0)));
}

std::optional<CallEstimate> FlattenCost(CostContext& context, const CostCall& call) {
  const std::uint64_t depth =
      call.arguments.empty() ? 1 : StaticNumber(context, call.arguments[0], kUnbounded);
  return StaticCostOfNewList(context.SizeOf(call.target), static_cast<double>(depth));
}

std::optional<CallEstimate> ReverseCost(CostContext& context, const CostCall& call) {
  return StaticCostOfNewList(context.SizeOf(call.target));
}

std::optional<CallEstimate> RangeCost(CostContext& context, const CostCall& call) {
  return StaticCostOfNewList(
      CostRange::Fixed(StaticNumber(context, call.arguments[0], kUnbounded)));
}

// Every element may be compared with every other; texts are also read.
constexpr double kPairCost = 2;
constexpr double kTextPairCost = 2 + kTextCost;

std::optional<CallEstimate> DistinctCost(CostContext& context, const CostCall& call) {
  const CostRange size = context.SizeOf(call.target);
  return StaticCostOfNewList(size.Multiply(size), kPairCost);
}

std::optional<CallEstimate> SortCost(CostContext& context, const CostCall& call) {
  const bool has_keys = !call.arguments.empty();
  const CostRange size = context.SizeOf(has_keys ? call.arguments[0] : call.target);
  const bool has_texts =
      call.overload.starts_with("list_string") || call.overload.starts_with("list_bytes");
  return StaticCostOfNewList(size.Multiply(size), has_texts ? kTextPairCost : kPairCost);
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"list_slice", SliceCost},
    {"list_flatten", FlattenCost},
    {"list_flatten_int", FlattenCost},
    {"list_reverse", ReverseCost},
    {"lists_range", RangeCost},
    {"list_distinct", DistinctCost},
    {"list_int_sort", SortCost},
    {"list_uint_sort", SortCost},
    {"list_double_sort", SortCost},
    {"list_bool_sort", SortCost},
    {"list_google.protobuf.Duration_sort", SortCost},
    {"list_google.protobuf.Timestamp_sort", SortCost},
    {"list_string_sort", SortCost},
    {"list_bytes_sort", SortCost},
    {"list_int_sortByAssociatedKeys", SortCost},
    {"list_uint_sortByAssociatedKeys", SortCost},
    {"list_double_sortByAssociatedKeys", SortCost},
    {"list_bool_sortByAssociatedKeys", SortCost},
    {"list_google.protobuf.Duration_sortByAssociatedKeys", SortCost},
    {"list_google.protobuf.Timestamp_sortByAssociatedKeys", SortCost},
    {"list_string_sortByAssociatedKeys", SortCost},
    {"list_bytes_sortByAssociatedKeys", SortCost},
});

}  // namespace

const Library kListsLibrary{.name = "lists",
                            .functions = kFunctions,
                            .macros = kMacros,
                            .overload_costs = kStaticCosts,
                            .overload_runtime_costs = kRuntimeCosts};

}  // namespace plimsoll::cel
