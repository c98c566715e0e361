#include <array>

#include "cel/library/libraries.h"
#include "cel/library/static_cost.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_quantity", .name = "quantity", .signature = "string -> kubernetes.Quantity"},
    {.id = "is_quantity_string", .name = "isQuantity", .signature = "string -> bool"},
    {.id = "quantity_sign", .name = "sign", .signature = "kubernetes.Quantity -> int"},
    {.id = "quantity_compare_to",
     .name = "compareTo",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> int"},
    {.id = "quantity_get_int",
     .name = "asInteger",
     .is_member = true,
     .signature = "kubernetes.Quantity -> int"},
    {.id = "quantity_get_float",
     .name = "asApproximateFloat",
     .is_member = true,
     .signature = "kubernetes.Quantity -> double"},
    {.id = "quantity_is_integer",
     .name = "isInteger",
     .is_member = true,
     .signature = "kubernetes.Quantity -> bool"},
    {.id = "quantity_is_greater_than",
     .name = "isGreaterThan",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> bool"},
    {.id = "quantity_is_less_than",
     .name = "isLessThan",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> bool"},
    {.id = "quantity_add",
     .name = "add",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity"},
    {.id = "quantity_add_int",
     .name = "add",
     .is_member = true,
     .signature = "kubernetes.Quantity, int -> kubernetes.Quantity"},
    {.id = "quantity_sub",
     .name = "sub",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity"},
    {.id = "quantity_sub_int",
     .name = "sub",
     .is_member = true,
     .signature = "kubernetes.Quantity, int -> kubernetes.Quantity"},
});

constexpr std::string_view kTypeName = "kubernetes.Quantity";

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"quantity", StaticCostOfArgument},
    {"isQuantity", StaticCostOfArgument},
    {"_==_", StaticCostOfEqual<kTypeName>},
});

constexpr std::array<std::string_view, 1> kObjects{"kubernetes.Quantity"};

}  // namespace

const Library kQuantityLibrary{.name = "quantity",
                               .functions = kFunctions,
                               .function_costs = kStaticCosts,
                               .objects = kObjects};

}  // namespace plimsoll::cel
