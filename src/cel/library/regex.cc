#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_find_string",
     .name = "find",
     .is_member = true,
     .signature = "string, string -> string"},
    {.id = "string_find_all_string",
     .name = "findAll",
     .is_member = true,
     .signature = "string, string -> list(string)"},
    {.id = "string_find_all_string_int",
     .name = "findAll",
     .is_member = true,
     .signature = "string, string, int -> list(string)"},
});

}  // namespace

const Library kRegexLibrary{.name = "regex", .functions = kFunctions};

}  // namespace plimsoll::cel
