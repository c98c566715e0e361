#include <algorithm>
#include <array>

#include "cel/library/compare.h"
#include "cel/library/libraries.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

bool IsTooLarge(const Value* arguments) {
  return arguments[0].elements().size() * arguments[1].elements().size() > kComparisonsMax;
}

Value TooLarge(Evaluation& evaluation) { return evaluation.Fail("too many elements to compare"); }

bool ContainsAll(Evaluation& evaluation, const Value& list, const Value& wanted) {
  return std::all_of(wanted.elements().begin(), wanted.elements().end(),
                     [&](const Value& one) { return Includes(evaluation, list.elements(), one); });
}

Value Contains(Evaluation& evaluation, const Value* arguments) {
  if (IsTooLarge(arguments)) return TooLarge(evaluation);
  return Value::Bool(ContainsAll(evaluation, arguments[0], arguments[1]));
}

Value Equivalent(Evaluation& evaluation, const Value* arguments) {
  if (IsTooLarge(arguments)) return TooLarge(evaluation);
  return Value::Bool(ContainsAll(evaluation, arguments[0], arguments[1]) &&
                     ContainsAll(evaluation, arguments[1], arguments[0]));
}

Value Intersects(Evaluation& evaluation, const Value* arguments) {
  if (IsTooLarge(arguments)) return TooLarge(evaluation);
  const std::span<const Value> elements = arguments[0].elements();
  return Value::Bool(std::any_of(elements.begin(), elements.end(), [&](const Value& one) {
    return Includes(evaluation, arguments[1].elements(), one);
  }));
}

template <int kTimes>
std::uint64_t CostOfPairs(std::span<const Value> arguments, Value) {
  const double pairs =
      static_cast<double>(ActualSize(arguments[0])) * static_cast<double>(ActualSize(arguments[1]));
  return AddCost(FloorCost(pairs * kTimes), 1);
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "list_sets_contains_list",
     .name = "sets.contains",
     .signature = "list(T), list(T) -> bool",
     .implementation = Contains},
    {.id = "list_sets_equivalent_list",
     .name = "sets.equivalent",
     .signature = "list(T), list(T) -> bool",
     .implementation = Equivalent},
    {.id = "list_sets_intersects_list",
     .name = "sets.intersects",
     .signature = "list(T), list(T) -> bool",
     .implementation = Intersects},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"list_sets_contains_list", CostOfPairs<1>},
    {"list_sets_equivalent_list", CostOfPairs<2>},
    {"list_sets_intersects_list", CostOfPairs<1>},
});

CallEstimate PairsCost(CostContext& context, const CostCall& call, double factor) {
  const CostRange pairs =
      context.SizeOf(call.arguments[0]).Multiply(context.SizeOf(call.arguments[1]));
  return {.cost = pairs.Scale(factor).Add(CostRange::Fixed(1))};
}

std::optional<CallEstimate> OneWayCost(CostContext& context, const CostCall& call) {
  return PairsCost(context, call, 1);
}
std::optional<CallEstimate> BothWaysCost(CostContext& context, const CostCall& call) {
  return PairsCost(context, call, 2);
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"list_sets_contains_list", OneWayCost},
    {"list_sets_intersects_list", OneWayCost},
    {"list_sets_equivalent_list", BothWaysCost},
});

}  // namespace

const Library kSetsLibrary{.name = "sets",
                           .functions = kFunctions,
                           .overload_costs = kStaticCosts,
                           .overload_runtime_costs = kRuntimeCosts};

}  // namespace plimsoll::cel
