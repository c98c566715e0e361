#include <array>

#include "cel/library/libraries.h"
#include "cel/syntax/macros.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "optional_of", .name = "optional.of", .signature = "V -> optional_type(V)"},
    {.id = "optional_ofNonZeroValue",
     .name = "optional.ofNonZeroValue",
     .signature = "V -> optional_type(V)"},
    {.id = "optional_none", .name = "optional.none", .signature = "-> optional_type(V)"},
    {.id = "optional_value",
     .name = "value",
     .is_member = true,
     .signature = "optional_type(V) -> V"},
    {.id = "optional_hasValue",
     .name = "hasValue",
     .is_member = true,
     .signature = "optional_type(V) -> bool"},
    {.id = "optional_or_optional",
     .name = "or",
     .is_member = true,
     .signature = "optional_type(V), optional_type(V) -> optional_type(V)"},
    {.id = "optional_orValue_value",
     .name = "orValue",
     .is_member = true,
     .signature = "optional_type(V), V -> V"},
    {.id = "select_optional_field", .name = "_?._", .signature = "dyn, string -> optional_type(V)"},
    {.id = "list_optindex_optional_int",
     .name = "_[?_]",
     .signature = "list(V), int -> optional_type(V)"},
    {.id = "map_optindex_optional_value",
     .name = "_[?_]",
     .signature = "map(K, V), K -> optional_type(V)"},
    {.id = "optional_list_optindex_optional_int",
     .name = "_[?_]",
     .signature = "optional_type(list(V)), int -> optional_type(V)"},
    {.id = "optional_map_optindex_optional_value",
     .name = "_[?_]",
     .signature = "optional_type(map(K, V)), K -> optional_type(V)"},
    {.id = "optional_list_index_int",
     .name = "_[_]",
     .signature = "optional_type(list(V)), int -> optional_type(V)"},
    {.id = "optional_map_index_value",
     .name = "_[_]",
     .signature = "optional_type(map(K, V)), K -> optional_type(V)"},
    {.id = "optional_unwrap",
     .name = "optional.unwrap",
     .signature = "list(optional_type(V)) -> list(V)"},
    {.id = "optional_unwrapOpt",
     .name = "unwrapOpt",
     .is_member = true,
     .signature = "list(optional_type(V)) -> list(V)"},
    {.id = "list_first",
     .name = "first",
     .is_member = true,
     .signature = "list(V) -> optional_type(V)"},
    {.id = "list_last",
     .name = "last",
     .is_member = true,
     .signature = "list(V) -> optional_type(V)"},
});

constexpr auto kMacros = std::to_array<Macro>({
    {"optMap", 2, true, macros::OptMap},
    {"optFlatMap", 2, true, macros::OptFlatMap},
});

}  // namespace

const Library kOptionalLibrary{.name = "optional", .functions = kFunctions, .macros = kMacros};

}  // namespace plimsoll::cel
