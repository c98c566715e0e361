#include <array>

#include "cel/library/compare.h"
#include "cel/library/libraries.h"
#include "cel/library/runtime_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

Value IsSorted(Evaluation& evaluation, const Value* arguments) {
  const Value* before = nullptr;
  for (const Value& element : arguments[0].elements()) {
    if (!IsOrdered(element)) return evaluation.NoSuchOverload();
    if (before != nullptr && CompareOrdered(evaluation, *before, element) > 0) {
      return Value::Bool(false);
    }
    before = &element;
  }
  return Value::Bool(true);
}

/// Returns the largest element for -1, the smallest for 1. Skips elements that cannot be
/// compared with the best so far.
template <int kWorse>
Value Best(Evaluation& evaluation, const Value* arguments) {
  const Value* best = nullptr;
  for (const Value& element : arguments[0].elements()) {
    if (!IsOrdered(element)) return evaluation.NoSuchOverload();
    if (best == nullptr || CompareOrdered(evaluation, *best, element) == kWorse) best = &element;
  }
  if (best != nullptr) return *best;
  return evaluation.Fail(kWorse < 0 ? "max called on empty list" : "min called on empty list");
}
constexpr Implementation kMax = Best<-1>;
constexpr Implementation kMin = Best<1>;

Value SumOfInts(Evaluation& evaluation, const Value* arguments) {
  std::int64_t sum = 0;
  for (const Value& element : arguments[0].elements()) {
    if (!element.is(ValueKind::Int)) return evaluation.NoSuchOverload();
    if (__builtin_add_overflow(sum, element.as_int(), &sum)) {
      return evaluation.Fail("integer overflow");
    }
  }
  return Value::Int(sum);
}

Value SumOfUints(Evaluation& evaluation, const Value* arguments) {
  std::uint64_t sum = 0;
  for (const Value& element : arguments[0].elements()) {
    if (!element.is(ValueKind::Uint)) return evaluation.NoSuchOverload();
    if (__builtin_add_overflow(sum, element.as_uint(), &sum)) {
      return evaluation.Fail("unsigned integer overflow");
    }
  }
  return Value::Uint(sum);
}

Value SumOfDoubles(Evaluation& evaluation, const Value* arguments) {
  double sum = 0;
  for (const Value& element : arguments[0].elements()) {
    if (!element.is(ValueKind::Double)) return evaluation.NoSuchOverload();
    sum += element.as_double();
  }
  return Value::Double(sum);
}

Value SumOfDurations(Evaluation& evaluation, const Value* arguments) {
  std::int64_t sum = 0;
  for (const Value& element : arguments[0].elements()) {
    // A timestamp can be added to a duration, but the sum is not a duration.
    if (!element.is(ValueKind::Duration)) return evaluation.NoSuchOverload();
    if (__builtin_add_overflow(sum, element.duration_ns(), &sum)) {
      return evaluation.Fail("integer overflow");
    }
  }
  return Value::Duration(sum);
}

Value IndexOf(Evaluation& evaluation, const Value* arguments) {
  const std::span<const Value> elements = arguments[0].elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (evaluation.Equal(elements[i], arguments[1]).is_true()) {
      return Value::Int(static_cast<std::int64_t>(i));
    }
  }
  return Value::Int(-1);
}

Value LastIndexOf(Evaluation& evaluation, const Value* arguments) {
  const std::span<const Value> elements = arguments[0].elements();
  for (std::size_t i = elements.size(); i-- > 0;) {
    if (evaluation.Equal(elements[i], arguments[1]).is_true()) {
      return Value::Int(static_cast<std::int64_t>(i));
    }
  }
  return Value::Int(-1);
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "list_int_is_sorted_bool",
     .name = "isSorted",
     .is_member = true,
     .signature = "list(int) -> bool",
     .implementation = IsSorted},
    {.id = "list_uint_is_sorted_bool",
     .name = "isSorted",
     .is_member = true,
     .signature = "list(uint) -> bool",
     .implementation = IsSorted},
    {.id = "list_double_is_sorted_bool",
     .name = "isSorted",
     .is_member = true,
     .signature = "list(double) -> bool",
     .implementation = IsSorted},
    {.id = "list_bool_is_sorted_bool",
     .name = "isSorted",
     .is_member = true,
     .signature = "list(bool) -> bool",
     .implementation = IsSorted},
    {.id = "list_duration_is_sorted_bool",
     .name = "isSorted",
     .is_member = true,
     .signature = "list(duration) -> bool",
     .implementation = IsSorted},
    {.id = "list_timestamp_is_sorted_bool",
     .name = "isSorted",
     .is_member = true,
     .signature = "list(timestamp) -> bool",
     .implementation = IsSorted},
    {.id = "list_string_is_sorted_bool",
     .name = "isSorted",
     .is_member = true,
     .signature = "list(string) -> bool",
     .implementation = IsSorted},
    {.id = "list_bytes_is_sorted_bool",
     .name = "isSorted",
     .is_member = true,
     .signature = "list(bytes) -> bool",
     .implementation = IsSorted},
    {.id = "list_int_sum_int",
     .name = "sum",
     .is_member = true,
     .signature = "list(int) -> int",
     .implementation = SumOfInts},
    {.id = "list_uint_sum_uint",
     .name = "sum",
     .is_member = true,
     .signature = "list(uint) -> uint",
     .implementation = SumOfUints},
    {.id = "list_double_sum_double",
     .name = "sum",
     .is_member = true,
     .signature = "list(double) -> double",
     .implementation = SumOfDoubles},
    {.id = "list_duration_sum_duration",
     .name = "sum",
     .is_member = true,
     .signature = "list(duration) -> duration",
     .implementation = SumOfDurations},
    {.id = "list_int_max_int",
     .name = "max",
     .is_member = true,
     .signature = "list(int) -> int",
     .implementation = kMax},
    {.id = "list_uint_max_uint",
     .name = "max",
     .is_member = true,
     .signature = "list(uint) -> uint",
     .implementation = kMax},
    {.id = "list_double_max_double",
     .name = "max",
     .is_member = true,
     .signature = "list(double) -> double",
     .implementation = kMax},
    {.id = "list_bool_max_bool",
     .name = "max",
     .is_member = true,
     .signature = "list(bool) -> bool",
     .implementation = kMax},
    {.id = "list_duration_max_duration",
     .name = "max",
     .is_member = true,
     .signature = "list(duration) -> duration",
     .implementation = kMax},
    {.id = "list_timestamp_max_timestamp",
     .name = "max",
     .is_member = true,
     .signature = "list(timestamp) -> timestamp",
     .implementation = kMax},
    {.id = "list_string_max_string",
     .name = "max",
     .is_member = true,
     .signature = "list(string) -> string",
     .implementation = kMax},
    {.id = "list_bytes_max_bytes",
     .name = "max",
     .is_member = true,
     .signature = "list(bytes) -> bytes",
     .implementation = kMax},
    {.id = "list_int_min_int",
     .name = "min",
     .is_member = true,
     .signature = "list(int) -> int",
     .implementation = kMin},
    {.id = "list_uint_min_uint",
     .name = "min",
     .is_member = true,
     .signature = "list(uint) -> uint",
     .implementation = kMin},
    {.id = "list_double_min_double",
     .name = "min",
     .is_member = true,
     .signature = "list(double) -> double",
     .implementation = kMin},
    {.id = "list_bool_min_bool",
     .name = "min",
     .is_member = true,
     .signature = "list(bool) -> bool",
     .implementation = kMin},
    {.id = "list_duration_min_duration",
     .name = "min",
     .is_member = true,
     .signature = "list(duration) -> duration",
     .implementation = kMin},
    {.id = "list_timestamp_min_timestamp",
     .name = "min",
     .is_member = true,
     .signature = "list(timestamp) -> timestamp",
     .implementation = kMin},
    {.id = "list_string_min_string",
     .name = "min",
     .is_member = true,
     .signature = "list(string) -> string",
     .implementation = kMin},
    {.id = "list_bytes_min_bytes",
     .name = "min",
     .is_member = true,
     .signature = "list(bytes) -> bytes",
     .implementation = kMin},
    {.id = "list_a_index_of_int",
     .name = "indexOf",
     .is_member = true,
     .signature = "list(A), A -> int",
     .implementation = IndexOf},
    {.id = "list_a_last_index_of_int",
     .name = "lastIndexOf",
     .is_member = true,
     .signature = "list(A), A -> int",
     .implementation = LastIndexOf},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"indexOf", CostOfTraversal},
    {"isSorted", CostOfTraversal},
    {"lastIndexOf", CostOfTraversal},
    {"max", CostOfTraversal},
    {"min", CostOfTraversal},
    {"sum", CostOfTraversal},
});

/// Costs one per element, or reading it if it is a text. The target of indexOf may be a text.
std::optional<CallEstimate> TraverseCost(CostContext& context, const CostCall& call) {
  if (call.target == kNoNode) return std::nullopt;
  const CostRange size = context.SizeOf(call.target);
  const auto parameters = context.TypeOf(call.target)->parameters();
  if (parameters.empty()) return CallEstimate{.cost = size.Scale(kTextCost)};
  CostRange element = CostRange::Fixed(1);
  if (parameters[0]->is(TypeKind::String) || parameters[0]->is(TypeKind::Bytes)) {
    const CostRange text = context.FindElementSize(call.target).value_or(CostRange::Unknown());
    element = element.Add(text.Scale(kTextCost));
  }
  return CallEstimate{.cost = size.Multiply(element)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"isSorted", TraverseCost},
    {"sum", TraverseCost},
    {"max", TraverseCost},
    {"min", TraverseCost},
    {"indexOf", TraverseCost},
    {"lastIndexOf", TraverseCost},
});

}  // namespace

const Library kKubernetesListsLibrary{.name = "kubernetes_lists",
                                      .functions = kFunctions,
                                      .function_costs = kStaticCosts,
                                      .function_runtime_costs = kRuntimeCosts};

}  // namespace plimsoll::cel
