#include <array>

#include "cel/library/libraries.h"

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

}  // namespace

const Library kTwoVariableLibrary{.name = "two_variable", .functions = kFunctions};

}  // namespace plimsoll::cel
