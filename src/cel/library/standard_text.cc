#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "contains_string",
     .name = "contains",
     .is_member = true,
     .signature = "string, string -> bool"},
    {.id = "ends_with_string",
     .name = "endsWith",
     .is_member = true,
     .signature = "string, string -> bool"},
    {.id = "matches", .name = "matches", .signature = "string, string -> bool"},
    {.id = "matches_string",
     .name = "matches",
     .is_member = true,
     .signature = "string, string -> bool"},
    {.id = "starts_with_string",
     .name = "startsWith",
     .is_member = true,
     .signature = "string, string -> bool"},
});

}  // namespace

const Library kStandardTextLibrary{.name = "standard_text", .functions = kFunctions};

}  // namespace plimsoll::cel
