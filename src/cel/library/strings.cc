#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_char_at_int",
     .name = "charAt",
     .is_member = true,
     .signature = "string, int -> string"},
    {.id = "string_index_of_string",
     .name = "indexOf",
     .is_member = true,
     .signature = "string, string -> int"},
    {.id = "string_index_of_string_int",
     .name = "indexOf",
     .is_member = true,
     .signature = "string, string, int -> int"},
    {.id = "string_last_index_of_string",
     .name = "lastIndexOf",
     .is_member = true,
     .signature = "string, string -> int"},
    {.id = "string_last_index_of_string_int",
     .name = "lastIndexOf",
     .is_member = true,
     .signature = "string, string, int -> int"},
    {.id = "string_lower_ascii",
     .name = "lowerAscii",
     .is_member = true,
     .signature = "string -> string"},
    {.id = "string_replace_string_string",
     .name = "replace",
     .is_member = true,
     .signature = "string, string, string -> string"},
    {.id = "string_replace_string_string_int",
     .name = "replace",
     .is_member = true,
     .signature = "string, string, string, int -> string"},
    {.id = "string_split_string",
     .name = "split",
     .is_member = true,
     .signature = "string, string -> list(string)"},
    {.id = "string_split_string_int",
     .name = "split",
     .is_member = true,
     .signature = "string, string, int -> list(string)"},
    {.id = "string_substring_int",
     .name = "substring",
     .is_member = true,
     .signature = "string, int -> string"},
    {.id = "string_substring_int_int",
     .name = "substring",
     .is_member = true,
     .signature = "string, int, int -> string"},
    {.id = "string_trim", .name = "trim", .is_member = true, .signature = "string -> string"},
    {.id = "string_upper_ascii",
     .name = "upperAscii",
     .is_member = true,
     .signature = "string -> string"},
    {.id = "string_format",
     .name = "format",
     .is_member = true,
     .signature = "string, list(dyn) -> string"},
    {.id = "strings_quote", .name = "strings.quote", .signature = "string -> string"},
    {.id = "list_join", .name = "join", .is_member = true, .signature = "list(string) -> string"},
    {.id = "list_join_string",
     .name = "join",
     .is_member = true,
     .signature = "list(string), string -> string"},
});

}  // namespace

const Library kStringsLibrary{.name = "strings", .functions = kFunctions};

}  // namespace plimsoll::cel
