#include <array>

#include "cel/library/libraries.h"
#include "cel/library/static_cost.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_cidr", .name = "cidr", .signature = "string -> net.CIDR"},
    {.id = "is_cidr", .name = "isCIDR", .signature = "string -> bool"},
    {.id = "cidr_contains_ip_ip",
     .name = "containsIP",
     .is_member = true,
     .signature = "net.CIDR, net.IP -> bool"},
    {.id = "cidr_contains_ip_string",
     .name = "containsIP",
     .is_member = true,
     .signature = "net.CIDR, string -> bool"},
    {.id = "cidr_contains_cidr",
     .name = "containsCIDR",
     .is_member = true,
     .signature = "net.CIDR, net.CIDR -> bool"},
    {.id = "cidr_contains_cidr_string",
     .name = "containsCIDR",
     .is_member = true,
     .signature = "net.CIDR, string -> bool"},
    {.id = "cidr_ip", .name = "ip", .is_member = true, .signature = "net.CIDR -> net.IP"},
    {.id = "cidr_masked", .name = "masked", .is_member = true, .signature = "net.CIDR -> net.CIDR"},
    {.id = "cidr_prefix_length",
     .name = "prefixLength",
     .is_member = true,
     .signature = "net.CIDR -> int"},
    {.id = "cidr_to_string", .name = "string", .signature = "net.CIDR -> string"},
});

constexpr std::string_view kTypeName = "net.CIDR";

constexpr CostRange kAddressSize{4, 16};

/// Compares two addresses; a text is read before.
CostRange ContainsCost(CostContext& context, const CostCall& call) {
  const CostRange cost = kAddressSize.Add(kAddressSize).Scale(kTextCost);
  const NodeId argument = call.arguments[0];
  if (!call.overload.ends_with("_string")) return cost;
  return cost.Add(context.SizeOf(argument).Scale(kTextCost));
}

std::optional<CallEstimate> ContainsIpCost(CostContext& context, const CostCall& call) {
  return CallEstimate{.cost = ContainsCost(context, call)};
}

/// Masks the other address and compares the lengths of the prefixes as well.
std::optional<CallEstimate> ContainsCidrCost(CostContext& context, const CostCall& call) {
  return CallEstimate{
      .cost =
          ContainsCost(context, call).Add(kAddressSize.Scale(kTextCost)).Add(CostRange::Fixed(1))};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"cidr", StaticCostOfArgument},
    {"isCIDR", StaticCostOfArgument},
    {"containsIP", ContainsIpCost},
    {"containsCIDR", ContainsCidrCost},
    {"_==_", StaticCostOfEqual<kTypeName>},
});

constexpr std::array<std::string_view, 1> kTypes{"net.CIDR"};

}  // namespace

const Library kCidrLibrary{
    .name = "cidr", .functions = kFunctions, .function_costs = kStaticCosts, .types = kTypes};

}  // namespace plimsoll::cel
