#include <array>

#include "cel/library/libraries.h"
#include "cel/syntax/macros.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "@mapInsert_map_key_value",
     .name = "cel.@mapInsert",
     .signature = "map(K, V), K, V -> map(K, V)"},
    {.id = "@mapInsert_map_map",
     .name = "cel.@mapInsert",
     .signature = "map(K, V), map(K, V) -> map(K, V)"},
});

constexpr auto kMacros = std::to_array<Macro>({
    {"all", 3, true, macros::AllPairs},
    {"exists", 3, true, macros::ExistsPair},
    {"existsOne", 3, true, macros::ExistsOnePair},
    {"exists_one", 3, true, macros::ExistsOnePair},
    {"transformList", 3, true, macros::TransformList},
    {"transformList", 4, true, macros::TransformList},
    {"transformMap", 3, true, macros::TransformMap},
    {"transformMap", 4, true, macros::TransformMap},
    {"transformMapEntry", 3, true, macros::TransformMapEntry},
    {"transformMapEntry", 4, true, macros::TransformMapEntry},
});

}  // namespace

const Library kTwoVariableLibrary{
    .name = "two_variable", .functions = kFunctions, .macros = kMacros};

}  // namespace plimsoll::cel
