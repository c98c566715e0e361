#include <array>

#include "cel/library/libraries.h"
#include "cel/library/static_cost.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_bool_to_semver",
     .name = "semver",
     .signature = "string, bool -> kubernetes.Semver"},
    {.id = "string_to_semver", .name = "semver", .signature = "string -> kubernetes.Semver"},
    {.id = "is_semver_string", .name = "isSemver", .signature = "string -> bool"},
    {.id = "is_semver_string_bool", .name = "isSemver", .signature = "string, bool -> bool"},
    {.id = "semver_compare_to",
     .name = "compareTo",
     .is_member = true,
     .signature = "kubernetes.Semver, kubernetes.Semver -> int"},
    {.id = "semver_is_greater_than",
     .name = "isGreaterThan",
     .is_member = true,
     .signature = "kubernetes.Semver, kubernetes.Semver -> bool"},
    {.id = "semver_is_less_than",
     .name = "isLessThan",
     .is_member = true,
     .signature = "kubernetes.Semver, kubernetes.Semver -> bool"},
    {.id = "semver_major",
     .name = "major",
     .is_member = true,
     .signature = "kubernetes.Semver -> int"},
    {.id = "semver_minor",
     .name = "minor",
     .is_member = true,
     .signature = "kubernetes.Semver -> int"},
    {.id = "semver_patch",
     .name = "patch",
     .is_member = true,
     .signature = "kubernetes.Semver -> int"},
});

constexpr std::string_view kTypeName = "kubernetes.Semver";

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"semver", StaticCostOfArgument},
    {"isSemver", StaticCostOfArgument},
    {"_==_", StaticCostOfEqual<kTypeName>},
});

constexpr std::array<std::string_view, 1> kObjects{"kubernetes.Semver"};

}  // namespace

const Library kSemverLibrary{
    .name = "semver", .functions = kFunctions, .function_costs = kStaticCosts, .objects = kObjects};

}  // namespace plimsoll::cel
