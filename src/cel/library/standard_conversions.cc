#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "type", .name = "type", .signature = "A -> type(A)", .folds = true},
    {.id = "bool_to_bool", .name = "bool", .signature = "bool -> bool", .folds = true},
    {.id = "string_to_bool", .name = "bool", .signature = "string -> bool", .folds = true},
    {.id = "bytes_to_bytes", .name = "bytes", .signature = "bytes -> bytes", .folds = true},
    {.id = "string_to_bytes", .name = "bytes", .signature = "string -> bytes", .folds = true},
    {.id = "double_to_double", .name = "double", .signature = "double -> double", .folds = true},
    {.id = "int64_to_double", .name = "double", .signature = "int -> double", .folds = true},
    {.id = "string_to_double", .name = "double", .signature = "string -> double", .folds = true},
    {.id = "uint64_to_double", .name = "double", .signature = "uint -> double", .folds = true},
    {.id = "duration_to_duration",
     .name = "duration",
     .signature = "duration -> duration",
     .folds = true},
    {.id = "string_to_duration",
     .name = "duration",
     .signature = "string -> duration",
     .folds = true},
    {.id = "to_dyn", .name = "dyn", .signature = "A -> dyn", .folds = true},
    {.id = "int64_to_int64", .name = "int", .signature = "int -> int", .folds = true},
    {.id = "double_to_int64", .name = "int", .signature = "double -> int", .folds = true},
    {.id = "duration_to_int64", .name = "int", .signature = "duration -> int", .folds = true},
    {.id = "string_to_int64", .name = "int", .signature = "string -> int", .folds = true},
    {.id = "timestamp_to_int64", .name = "int", .signature = "timestamp -> int", .folds = true},
    {.id = "uint64_to_int64", .name = "int", .signature = "uint -> int", .folds = true},
    {.id = "string_to_string", .name = "string", .signature = "string -> string", .folds = true},
    {.id = "bool_to_string", .name = "string", .signature = "bool -> string", .folds = true},
    {.id = "bytes_to_string", .name = "string", .signature = "bytes -> string", .folds = true},
    {.id = "double_to_string", .name = "string", .signature = "double -> string", .folds = true},
    {.id = "duration_to_string",
     .name = "string",
     .signature = "duration -> string",
     .folds = true},
    {.id = "int64_to_string", .name = "string", .signature = "int -> string", .folds = true},
    {.id = "timestamp_to_string",
     .name = "string",
     .signature = "timestamp -> string",
     .folds = true},
    {.id = "uint64_to_string", .name = "string", .signature = "uint -> string", .folds = true},
    {.id = "timestamp_to_timestamp",
     .name = "timestamp",
     .signature = "timestamp -> timestamp",
     .folds = true},
    {.id = "int64_to_timestamp",
     .name = "timestamp",
     .signature = "int -> timestamp",
     .folds = true},
    {.id = "string_to_timestamp",
     .name = "timestamp",
     .signature = "string -> timestamp",
     .folds = true},
    {.id = "uint64_to_uint64", .name = "uint", .signature = "uint -> uint", .folds = true},
    {.id = "double_to_uint64", .name = "uint", .signature = "double -> uint", .folds = true},
    {.id = "int64_to_uint64", .name = "uint", .signature = "int -> uint", .folds = true},
    {.id = "string_to_uint64", .name = "uint", .signature = "string -> uint", .folds = true},
});

}  // namespace

const Library kStandardConversionsLibrary{.name = "standard_conversions", .functions = kFunctions};

}  // namespace plimsoll::cel
