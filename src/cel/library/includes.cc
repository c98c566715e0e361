#include <array>

#include "cel/library/compare.h"
#include "cel/library/libraries.h"
#include "cel/library/runtime_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

/// A value that is no list is one of itself.
Value IncludesValue(Evaluation& evaluation, const Value* arguments) {
  if (!arguments[0].is(ValueKind::List)) return evaluation.Equal(arguments[0], arguments[1]);
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

}  // namespace

const Library kIncludesLibrary{
    .name = "includes", .functions = kFunctions, .function_runtime_costs = kRuntimeCosts};

}  // namespace plimsoll::cel
