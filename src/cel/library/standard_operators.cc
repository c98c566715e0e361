#include <algorithm>
#include <array>

#include "cel/cost.h"
#include "cel/eval/operators.h"
#include "cel/library/libraries.h"
#include "cel/library/runtime_cost.h"
#include "cel/syntax/macros.h"

namespace plimsoll::cel {
namespace {

/// All overloads of an operator share one implementation, which checks the kinds itself.
constexpr Function Operator(std::string_view id, std::string_view name, std::string_view signature,
                            Implementation implementation) {
  return {.id = id,
          .name = name,
          .signature = signature,
          .implementation = implementation,
          .unguarded = true};
}

constexpr Function Method(std::string_view id, std::string_view name, std::string_view signature,
                          Implementation implementation) {
  Function method = Operator(id, name, signature, implementation);
  method.is_member = true;
  return method;
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "conditional", .name = "_?_:_", .signature = "bool, A, A -> A"},
    {.id = "logical_and", .name = "_&&_", .signature = "bool, bool -> bool"},
    {.id = "logical_or", .name = "_||_", .signature = "bool, bool -> bool"},
    Operator("logical_not", "!_", "bool -> bool", operators::Not),
    {.id = "not_strictly_false", .name = "@not_strictly_false", .signature = "bool -> bool"},
    {.id = "__not_strictly_false__", .name = "__not_strictly_false__", .signature = "bool -> bool"},
    {.id = "equals", .name = "_==_", .signature = "A, A -> bool"},
    {.id = "not_equals", .name = "_!=_", .signature = "A, A -> bool"},
    Operator("add_bytes", "_+_", "bytes, bytes -> bytes", operators::Add),
    Operator("add_double", "_+_", "double, double -> double", operators::Add),
    Operator("add_duration_duration", "_+_", "duration, duration -> duration", operators::Add),
    Operator("add_duration_timestamp", "_+_", "duration, timestamp -> timestamp", operators::Add),
    Operator("add_timestamp_duration", "_+_", "timestamp, duration -> timestamp", operators::Add),
    Operator("add_int64", "_+_", "int, int -> int", operators::Add),
    Operator("add_list", "_+_", "list(A), list(A) -> list(A)", operators::Add),
    Operator("add_string", "_+_", "string, string -> string", operators::Add),
    Operator("add_uint64", "_+_", "uint, uint -> uint", operators::Add),
    Operator("divide_double", "_/_", "double, double -> double", operators::Divide),
    Operator("divide_int64", "_/_", "int, int -> int", operators::Divide),
    Operator("divide_uint64", "_/_", "uint, uint -> uint", operators::Divide),
    Operator("modulo_int64", "_%_", "int, int -> int", operators::Modulo),
    Operator("modulo_uint64", "_%_", "uint, uint -> uint", operators::Modulo),
    Operator("multiply_double", "_*_", "double, double -> double", operators::Multiply),
    Operator("multiply_int64", "_*_", "int, int -> int", operators::Multiply),
    Operator("multiply_uint64", "_*_", "uint, uint -> uint", operators::Multiply),
    Operator("negate_double", "-_", "double -> double", operators::Negate),
    Operator("negate_int64", "-_", "int -> int", operators::Negate),
    Operator("subtract_double", "_-_", "double, double -> double", operators::Subtract),
    Operator("subtract_duration_duration", "_-_", "duration, duration -> duration",
             operators::Subtract),
    Operator("subtract_int64", "_-_", "int, int -> int", operators::Subtract),
    Operator("subtract_timestamp_duration", "_-_", "timestamp, duration -> timestamp",
             operators::Subtract),
    Operator("subtract_timestamp_timestamp", "_-_", "timestamp, timestamp -> duration",
             operators::Subtract),
    Operator("subtract_uint64", "_-_", "uint, uint -> uint", operators::Subtract),
    Operator("less_bool", "_<_", "bool, bool -> bool", operators::Less),
    Operator("less_int64", "_<_", "int, int -> bool", operators::Less),
    Operator("less_int64_double", "_<_", "int, double -> bool", operators::Less),
    Operator("less_int64_uint64", "_<_", "int, uint -> bool", operators::Less),
    Operator("less_uint64", "_<_", "uint, uint -> bool", operators::Less),
    Operator("less_uint64_double", "_<_", "uint, double -> bool", operators::Less),
    Operator("less_uint64_int64", "_<_", "uint, int -> bool", operators::Less),
    Operator("less_double", "_<_", "double, double -> bool", operators::Less),
    Operator("less_double_int64", "_<_", "double, int -> bool", operators::Less),
    Operator("less_double_uint64", "_<_", "double, uint -> bool", operators::Less),
    Operator("less_string", "_<_", "string, string -> bool", operators::Less),
    Operator("less_bytes", "_<_", "bytes, bytes -> bool", operators::Less),
    Operator("less_timestamp", "_<_", "timestamp, timestamp -> bool", operators::Less),
    Operator("less_duration", "_<_", "duration, duration -> bool", operators::Less),
    Operator("less_equals_bool", "_<=_", "bool, bool -> bool", operators::LessEquals),
    Operator("less_equals_int64", "_<=_", "int, int -> bool", operators::LessEquals),
    Operator("less_equals_int64_double", "_<=_", "int, double -> bool", operators::LessEquals),
    Operator("less_equals_int64_uint64", "_<=_", "int, uint -> bool", operators::LessEquals),
    Operator("less_equals_uint64", "_<=_", "uint, uint -> bool", operators::LessEquals),
    Operator("less_equals_uint64_double", "_<=_", "uint, double -> bool", operators::LessEquals),
    Operator("less_equals_uint64_int64", "_<=_", "uint, int -> bool", operators::LessEquals),
    Operator("less_equals_double", "_<=_", "double, double -> bool", operators::LessEquals),
    Operator("less_equals_double_int64", "_<=_", "double, int -> bool", operators::LessEquals),
    Operator("less_equals_double_uint64", "_<=_", "double, uint -> bool", operators::LessEquals),
    Operator("less_equals_string", "_<=_", "string, string -> bool", operators::LessEquals),
    Operator("less_equals_bytes", "_<=_", "bytes, bytes -> bool", operators::LessEquals),
    Operator("less_equals_timestamp", "_<=_", "timestamp, timestamp -> bool",
             operators::LessEquals),
    Operator("less_equals_duration", "_<=_", "duration, duration -> bool", operators::LessEquals),
    Operator("greater_bool", "_>_", "bool, bool -> bool", operators::Greater),
    Operator("greater_int64", "_>_", "int, int -> bool", operators::Greater),
    Operator("greater_int64_double", "_>_", "int, double -> bool", operators::Greater),
    Operator("greater_int64_uint64", "_>_", "int, uint -> bool", operators::Greater),
    Operator("greater_uint64", "_>_", "uint, uint -> bool", operators::Greater),
    Operator("greater_uint64_double", "_>_", "uint, double -> bool", operators::Greater),
    Operator("greater_uint64_int64", "_>_", "uint, int -> bool", operators::Greater),
    Operator("greater_double", "_>_", "double, double -> bool", operators::Greater),
    Operator("greater_double_int64", "_>_", "double, int -> bool", operators::Greater),
    Operator("greater_double_uint64", "_>_", "double, uint -> bool", operators::Greater),
    Operator("greater_string", "_>_", "string, string -> bool", operators::Greater),
    Operator("greater_bytes", "_>_", "bytes, bytes -> bool", operators::Greater),
    Operator("greater_timestamp", "_>_", "timestamp, timestamp -> bool", operators::Greater),
    Operator("greater_duration", "_>_", "duration, duration -> bool", operators::Greater),
    Operator("greater_equals_bool", "_>=_", "bool, bool -> bool", operators::GreaterEquals),
    Operator("greater_equals_int64", "_>=_", "int, int -> bool", operators::GreaterEquals),
    Operator("greater_equals_int64_double", "_>=_", "int, double -> bool",
             operators::GreaterEquals),
    Operator("greater_equals_int64_uint64", "_>=_", "int, uint -> bool", operators::GreaterEquals),
    Operator("greater_equals_uint64", "_>=_", "uint, uint -> bool", operators::GreaterEquals),
    Operator("greater_equals_uint64_double", "_>=_", "uint, double -> bool",
             operators::GreaterEquals),
    Operator("greater_equals_uint64_int64", "_>=_", "uint, int -> bool", operators::GreaterEquals),
    Operator("greater_equals_double", "_>=_", "double, double -> bool", operators::GreaterEquals),
    Operator("greater_equals_double_int64", "_>=_", "double, int -> bool",
             operators::GreaterEquals),
    Operator("greater_equals_double_uint64", "_>=_", "double, uint -> bool",
             operators::GreaterEquals),
    Operator("greater_equals_string", "_>=_", "string, string -> bool", operators::GreaterEquals),
    Operator("greater_equals_bytes", "_>=_", "bytes, bytes -> bool", operators::GreaterEquals),
    Operator("greater_equals_timestamp", "_>=_", "timestamp, timestamp -> bool",
             operators::GreaterEquals),
    Operator("greater_equals_duration", "_>=_", "duration, duration -> bool",
             operators::GreaterEquals),
    {.id = "index_list", .name = "_[_]", .signature = "list(A), int -> A"},
    {.id = "index_map", .name = "_[_]", .signature = "map(A, B), A -> B"},
    Operator("in_list", "@in", "A, list(A) -> bool", operators::In),
    Operator("in_map", "@in", "A, map(A, B) -> bool", operators::In),
    Operator("size_bytes", "size", "bytes -> int", operators::Size),
    Method("bytes_size", "size", "bytes -> int", operators::Size),
    Operator("size_list", "size", "list(A) -> int", operators::Size),
    Method("list_size", "size", "list(A) -> int", operators::Size),
    Operator("size_map", "size", "map(A, B) -> int", operators::Size),
    Method("map_size", "size", "map(A, B) -> int", operators::Size),
    Operator("size_string", "size", "string -> int", operators::Size),
    Method("string_size", "size", "string -> int", operators::Size),
});

// Run-time costs depend on the actual sizes; values without a size count as 1.

std::uint64_t CostOfSearch(std::span<const Value> arguments, Value) {
  return HeldSize(arguments[1]);
}

/// At most the length of the shorter text is read.
std::uint64_t CostOfComparing(std::span<const Value> arguments, Value) {
  return SizeCost(ShorterSize(arguments[0], arguments[1]), kTextCost);
}

std::uint64_t CostOfJoining(std::span<const Value> arguments, Value) {
  return SizeCost(HeldSize(arguments[0]) + HeldSize(arguments[1]), kTextCost);
}

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"equals", CostOfComparing},
    {"not_equals", CostOfComparing},
    {"less_string", CostOfComparing},
    {"less_bytes", CostOfComparing},
    {"less_equals_string", CostOfComparing},
    {"less_equals_bytes", CostOfComparing},
    {"greater_string", CostOfComparing},
    {"greater_bytes", CostOfComparing},
    {"greater_equals_string", CostOfComparing},
    {"greater_equals_bytes", CostOfComparing},
    {"add_string", CostOfJoining},
    {"add_bytes", CostOfJoining},
    {"in_list", CostOfSearch},
});

constexpr auto kMacros = std::to_array<Macro>({
    {"has", 1, false, macros::Has},
    {"all", 2, true, macros::All},
    {"exists", 2, true, macros::Exists},
    {"exists_one", 2, true, macros::ExistsOne},
    {"map", 2, true, macros::Map},
    {"map", 3, true, macros::Map},
    {"filter", 2, true, macros::Filter},
});

/// Comparison stops at the end of the shorter side; scalars have size 1.
std::optional<CallEstimate> CompareCost(CostContext& context, const CostCall& call) {
  const std::uint64_t max =
      std::min(context.SizeOf(call.arguments[0]).max, context.SizeOf(call.arguments[1]).max);
  return CallEstimate{.cost = CostRange{max > 0 ? 1u : 0u, max}.Scale(kTextCost)};
}

std::optional<CallEstimate> InListCost(CostContext& context, const CostCall& call) {
  // Upstream multiplies by 1 in double arithmetic, which rounds large sizes.
  return CallEstimate{.cost = context.SizeOf(call.arguments[1]).Scale(1)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"in_list", InListCost},
    {"equals", CompareCost},
    {"not_equals", CompareCost},
    {"less_string", CompareCost},
    {"less_equals_string", CompareCost},
    {"greater_string", CompareCost},
    {"greater_equals_string", CompareCost},
    {"less_bytes", CompareCost},
    {"less_equals_bytes", CompareCost},
    {"greater_bytes", CompareCost},
    {"greater_equals_bytes", CompareCost},
});

}  // namespace

const Library kStandardOperatorsLibrary{.name = "standard_operators",
                                        .functions = kFunctions,
                                        .macros = kMacros,
                                        .default_costs = kStaticCosts,
                                        .default_runtime_costs = kRuntimeCosts};

}  // namespace plimsoll::cel
