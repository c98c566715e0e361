#include <array>

#include "cel/library/compare.h"
#include "cel/library/libraries.h"
#include "cel/library/runtime_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

/// A value that is no list is compared directly. Values that cannot be compared are not included.
Value IncludesValue(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::List)) {
    return Value::Bool(evaluation.Equal(arguments[0], arguments[1]).is_true());
  }
  return Value::Bool(Includes(evaluation, arguments[0].elements(), arguments[1]));
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "list_includes_dyn_dyn",
     .name = "includes",
     .is_member = true,
     .signature = "dyn, dyn -> bool",
     .implementation = IncludesValue},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({{"includes", CostOfTraversal}});
/// Costs one per element, or the cost of reading it if it is known to be a text.
std::optional<CallEstimate> IncludesCost(CostContext& context, const CostCall& call) {
  if (call.target == kNoNode) return std::nullopt;
  const CostRange size = context.SizeOf(call.target);
  const auto parameters = context.TypeOf(call.target)->parameters();
  CostRange element = CostRange::Fixed(1);
  if (!parameters.empty() &&
      (parameters[0]->is(TypeKind::String) || parameters[0]->is(TypeKind::Bytes))) {
    const CostRange text = context.FindElementSize(call.target).value_or(CostRange::Unknown());
    element = element.Add(text.Scale(kTextCost));
  }
  return CallEstimate{.cost = size.Multiply(element)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({{"includes", IncludesCost}});

}  // namespace

const Library kIncludesLibrary{.name = "includes",
                               .functions = kFunctions,
                               .function_costs = kStaticCosts,
                               .function_runtime_costs = kRuntimeCosts};

}  // namespace plimsoll::cel
