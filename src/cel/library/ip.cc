#include <array>

#include "cel/library/libraries.h"
#include "cel/library/static_cost.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_ip", .name = "ip", .signature = "string -> net.IP"},
    {.id = "is_ip", .name = "isIP", .signature = "string -> bool"},
    {.id = "ip_is_canonical", .name = "ip.isCanonical", .signature = "string -> bool"},
    {.id = "ip_family", .name = "family", .is_member = true, .signature = "net.IP -> int"},
    {.id = "ip_is_unspecified",
     .name = "isUnspecified",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_is_loopback",
     .name = "isLoopback",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_is_link_local_multicast",
     .name = "isLinkLocalMulticast",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_is_link_local_unicast",
     .name = "isLinkLocalUnicast",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_is_global_unicast",
     .name = "isGlobalUnicast",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_to_string", .name = "string", .signature = "net.IP -> string"},
});

constexpr std::string_view kTypeName = "net.IP";

/// `ip(text)` reads a text; `cidr.ip()` does not.
std::optional<CallEstimate> IpCost(CostContext& context, const CostCall& call) {
  if (call.target != kNoNode) return std::nullopt;
  return StaticCostOfArgument(context, call);
}

/// Reads the text and writes it again to compare.
std::optional<CallEstimate> CanonicalCost(CostContext& context, const CostCall& call) {
  return CallEstimate{.cost = context.SizeOf(call.arguments[0]).Scale(2 * kTextCost)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"ip", IpCost},
    {"isIP", StaticCostOfArgument},
    {"ip.isCanonical", CanonicalCost},
    {"_==_", StaticCostOfEqual<kTypeName>},
});

constexpr std::array<std::string_view, 1> kTypes{"net.IP"};

}  // namespace

const Library kIpLibrary{
    .name = "ip", .functions = kFunctions, .function_costs = kStaticCosts, .types = kTypes};

}  // namespace plimsoll::cel
