#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

// No authorizer is ever bound here, so these functions are never called. Upstream declares their
// names everywhere: a call of `name` is then a wrong overload, not an undeclared reference.
constexpr auto kFunctions = std::to_array<Function>({
    {.id = "authorizer_path",
     .name = "path",
     .is_member = true,
     .signature =
         "kubernetes.authorization.Authorizer, string -> kubernetes.authorization.PathCheck"},
    {.id = "authorizer_group",
     .name = "group",
     .is_member = true,
     .signature =
         "kubernetes.authorization.Authorizer, string -> kubernetes.authorization.GroupCheck"},
    {.id = "authorizer_serviceaccount",
     .name = "serviceAccount",
     .is_member = true,
     .signature = "kubernetes.authorization.Authorizer, string, string -> "
                  "kubernetes.authorization.Authorizer"},
    {.id = "groupcheck_resource",
     .name = "resource",
     .is_member = true,
     .signature =
         "kubernetes.authorization.GroupCheck, string -> kubernetes.authorization.ResourceCheck"},
    {.id = "resourcecheck_subresource",
     .name = "subresource",
     .is_member = true,
     .signature = "kubernetes.authorization.ResourceCheck, string -> "
                  "kubernetes.authorization.ResourceCheck"},
    {.id = "resourcecheck_namespace",
     .name = "namespace",
     .is_member = true,
     .signature = "kubernetes.authorization.ResourceCheck, string -> "
                  "kubernetes.authorization.ResourceCheck"},
    {.id = "resourcecheck_name",
     .name = "name",
     .is_member = true,
     .signature = "kubernetes.authorization.ResourceCheck, string -> "
                  "kubernetes.authorization.ResourceCheck"},
    {.id = "pathcheck_check",
     .name = "check",
     .is_member = true,
     .signature =
         "kubernetes.authorization.PathCheck, string -> kubernetes.authorization.Decision"},
    {.id = "resourcecheck_check",
     .name = "check",
     .is_member = true,
     .signature =
         "kubernetes.authorization.ResourceCheck, string -> kubernetes.authorization.Decision"},
    {.id = "decision_errored",
     .name = "errored",
     .is_member = true,
     .signature = "kubernetes.authorization.Decision -> bool"},
    {.id = "decision_error",
     .name = "error",
     .is_member = true,
     .signature = "kubernetes.authorization.Decision -> string"},
    {.id = "decision_allowed",
     .name = "allowed",
     .is_member = true,
     .signature = "kubernetes.authorization.Decision -> bool"},
    {.id = "decision_reason",
     .name = "reason",
     .is_member = true,
     .signature = "kubernetes.authorization.Decision -> string"},
    {.id = "authorizer_fieldselector",
     .name = "fieldSelector",
     .is_member = true,
     .signature = "kubernetes.authorization.ResourceCheck, string -> "
                  "kubernetes.authorization.ResourceCheck"},
    {.id = "authorizer_labelselector",
     .name = "labelSelector",
     .is_member = true,
     .signature = "kubernetes.authorization.ResourceCheck, string -> "
                  "kubernetes.authorization.ResourceCheck"},
});

constexpr std::uint64_t kCheckCost = 350'000;

std::optional<CallEstimate> CheckCost(CostContext&, const CostCall&) {
  return CallEstimate{.cost = CostRange::Fixed(kCheckCost)};
}

constexpr auto kFunctionCosts = std::to_array<StaticCostRule>({{"check", CheckCost}});

std::uint64_t CheckRuntimeCost(std::span<const Value>, Value) { return kCheckCost; }

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({{"check", CheckRuntimeCost}});

}  // namespace

const Library kAuthorizerLibrary{.name = "authorizer",
                                 .functions = kFunctions,
                                 .function_costs = kFunctionCosts,
                                 .function_runtime_costs = kRuntimeCosts};

}  // namespace plimsoll::cel
