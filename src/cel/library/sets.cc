#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "list_sets_contains_list",
     .name = "sets.contains",
     .signature = "list(T), list(T) -> bool"},
    {.id = "list_sets_equivalent_list",
     .name = "sets.equivalent",
     .signature = "list(T), list(T) -> bool"},
    {.id = "list_sets_intersects_list",
     .name = "sets.intersects",
     .signature = "list(T), list(T) -> bool"},
});

}  // namespace

const Library kSetsLibrary{.name = "sets", .functions = kFunctions};

}  // namespace plimsoll::cel
