#include <array>

#include "cel/library/libraries.h"
#include "cel/library/static_cost.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_url", .name = "url", .signature = "string -> kubernetes.URL"},
    {.id = "url_get_scheme",
     .name = "getScheme",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_host",
     .name = "getHost",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_hostname",
     .name = "getHostname",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_port",
     .name = "getPort",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_escaped_path",
     .name = "getEscapedPath",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_query",
     .name = "getQuery",
     .is_member = true,
     .signature = "kubernetes.URL -> map(string, list(string))"},
    {.id = "is_url_string", .name = "isURL", .signature = "string -> bool"},
});

constexpr std::string_view kTypeName = "kubernetes.URL";

std::optional<CallEstimate> UrlCost(CostContext& context, const CostCall& call) {
  const CostRange size = context.SizeOf(call.arguments[0]);
  return CallEstimate{.cost = size.Scale(kTextCost), .result_size = size};
}

/// URLs are as large as the texts they were read from.
std::optional<CallEstimate> EqualCost(CostContext& context, const CostCall& call) {
  if (!StaticCostOfEqual<kTypeName>(context, call)) return std::nullopt;
  const auto a = context.FindSize(call.arguments[0]);
  const auto b = context.FindSize(call.arguments[1]);
  const std::uint64_t max = a && b ? a->Union(*b).max : 1;
  return CallEstimate{.cost = CostRange{1, max}.Scale(kTextCost)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"url", UrlCost},
    {"_==_", EqualCost},
});

constexpr std::array<std::string_view, 1> kObjects{"kubernetes.URL"};

}  // namespace

const Library kUrlLibrary{
    .name = "url", .functions = kFunctions, .function_costs = kStaticCosts, .objects = kObjects};

}  // namespace plimsoll::cel
