#include <array>

#include "cel/library/libraries.h"
#include "cel/library/static_cost.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "format.byte", .name = "format.byte", .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.date", .name = "format.date", .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.datetime", .name = "format.datetime", .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.dns1035Label",
     .name = "format.dns1035Label",
     .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.dns1035LabelPrefix",
     .name = "format.dns1035LabelPrefix",
     .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.dns1123Label",
     .name = "format.dns1123Label",
     .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.dns1123LabelPrefix",
     .name = "format.dns1123LabelPrefix",
     .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.dns1123Subdomain",
     .name = "format.dns1123Subdomain",
     .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.dns1123SubdomainPrefix",
     .name = "format.dns1123SubdomainPrefix",
     .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.labelValue",
     .name = "format.labelValue",
     .signature = "-> kubernetes.NamedFormat"},
    {.id = "format-named",
     .name = "format.named",
     .signature = "string -> optional_type(kubernetes.NamedFormat)"},
    {.id = "format.qualifiedName",
     .name = "format.qualifiedName",
     .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.uri", .name = "format.uri", .signature = "-> kubernetes.NamedFormat"},
    {.id = "format.uuid", .name = "format.uuid", .signature = "-> kubernetes.NamedFormat"},
    {.id = "format-validate",
     .name = "validate",
     .is_member = true,
     .signature = "kubernetes.NamedFormat, string -> optional_type(list(string))"},
});

constexpr std::string_view kTypeName = "kubernetes.NamedFormat";

// What upstream takes for the longest name of a format, and for the regular expression behind one.
constexpr CostRange kNameSize{1, 64};
constexpr CostRange kRegexSize{128, 128};

std::optional<CallEstimate> ValidateCost(CostContext& context, const CostCall& call) {
  return CallEstimate{.cost = context.SizeOf(call.arguments[0])
                                  .Scale(kTextCost)
                                  .Multiply(kRegexSize.Scale(kRegexCost))};
}

std::optional<CallEstimate> EqualCost(CostContext& context, const CostCall& call) {
  if (!StaticCostOfEqual<kTypeName>(context, call)) return std::nullopt;
  return CallEstimate{.cost = kNameSize.Scale(kTextCost)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"validate", ValidateCost},
    {"_==_", EqualCost},
});

constexpr std::array<std::string_view, 1> kObjects{"kubernetes.NamedFormat"};

}  // namespace

const Library kFormatLibrary{
    .name = "format", .functions = kFunctions, .function_costs = kStaticCosts, .objects = kObjects};

}  // namespace plimsoll::cel
