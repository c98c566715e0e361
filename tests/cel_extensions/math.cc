#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "cel/builder.h"
#include "cel/program.h"
#include "cel_extensions/extensions.h"

namespace plimsoll::cel {
namespace {

Value Same(Evaluation&, const Value* arguments) { return arguments[0]; }

bool IsNumber(const Value& value) {
  return value.is(ValueKind::Int) || value.is(ValueKind::Uint) || value.is(ValueKind::Double);
}

/// Returns the first value unless the second is better: greater for 1, less for -1.
template <int kBetter>
Value BestOfTwo(Evaluation& evaluation, const Value* arguments) {
  const Value order = evaluation.Compare(arguments[1], arguments[0]);
  if (!order.is(ValueKind::Int)) return order;
  return order.as_int() == kBetter ? arguments[1] : arguments[0];
}

template <int kBetter>
Value BestOfList(Evaluation& evaluation, const Value* arguments) {
  const std::span<const Value> elements = arguments[0].elements();
  if (elements.empty()) {
    return evaluation.Fail(kBetter > 0 ? "math.@max(list) argument must not be empty"
                                       : "math.@min(list) argument must not be empty");
  }
  Value best = elements[0];
  for (const Value& element : elements) {
    if (!IsNumber(element)) return evaluation.NoSuchOverload();
    const Value pair[2] = {best, element};
    best = BestOfTwo<kBetter>(evaluation, pair);
    if (best.is_error()) return best;
  }
  return best;
}
constexpr Implementation kMaxOfTwo = BestOfTwo<1>;
constexpr Implementation kMinOfTwo = BestOfTwo<-1>;
constexpr Implementation kMaxOfList = BestOfList<1>;
constexpr Implementation kMinOfList = BestOfList<-1>;

template <double (*kFunction)(double)>
Value Real(Evaluation&, const Value* arguments) {
  return Value::Double(kFunction(arguments[0].as_double()));
}

bool IsInfinite(double value) { return std::isinf(value); }
bool IsNan(double value) { return std::isnan(value); }
bool IsFinite(double value) { return std::isfinite(value); }

template <bool (*kFunction)(double)>
Value Test(Evaluation&, const Value* arguments) {
  return Value::Bool(kFunction(arguments[0].as_double()));
}

Value AbsOfDouble(Evaluation&, const Value* arguments) {
  return Value::Double(std::abs(arguments[0].as_double()));
}
Value AbsOfInt(Evaluation& evaluation, const Value* arguments) {
  const std::int64_t value = arguments[0].as_int();
  if (value == INT64_MIN) return evaluation.Fail("integer overflow");
  return Value::Int(value < 0 ? -value : value);
}

Value SignOfDouble(Evaluation&, const Value* arguments) {
  const double value = arguments[0].as_double();
  if (std::isnan(value)) return arguments[0];
  return Value::Double((value > 0) - (value < 0));
}
Value SignOfInt(Evaluation&, const Value* arguments) {
  return Value::Int((arguments[0].as_int() > 0) - (arguments[0].as_int() < 0));
}
Value SignOfUint(Evaluation&, const Value* arguments) {
  return Value::Uint(arguments[0].as_uint() > 0 ? 1 : 0);
}

Value SqrtOfDouble(Evaluation&, const Value* arguments) {
  return Value::Double(std::sqrt(arguments[0].as_double()));
}
Value SqrtOfInt(Evaluation&, const Value* arguments) {
  return Value::Double(std::sqrt(static_cast<double>(arguments[0].as_int())));
}
Value SqrtOfUint(Evaluation&, const Value* arguments) {
  return Value::Double(std::sqrt(static_cast<double>(arguments[0].as_uint())));
}

std::uint64_t BitsOf(const Value& value) {
  return value.is(ValueKind::Int) ? static_cast<std::uint64_t>(value.as_int()) : value.as_uint();
}

/// Returns a number with these bits, of the same kind as `like`.
Value WithBits(std::uint64_t bits, const Value& like) {
  return like.is(ValueKind::Int) ? Value::Int(static_cast<std::int64_t>(bits)) : Value::Uint(bits);
}

template <class Operation>
Value Bits(Evaluation&, const Value* arguments) {
  return WithBits(Operation()(BitsOf(arguments[0]), BitsOf(arguments[1])), arguments[0]);
}

Value BitNot(Evaluation&, const Value* arguments) {
  return WithBits(~BitsOf(arguments[0]), arguments[0]);
}

Value ShiftLeft(Evaluation& evaluation, const Value* arguments) {
  const std::int64_t places = arguments[1].as_int();
  if (places < 0) {
    return evaluation.FailCopied("math.bitShiftLeft() negative offset: " + std::to_string(places));
  }
  return WithBits(places > 63 ? 0 : BitsOf(arguments[0]) << places, arguments[0]);
}

/// Shifts in zeros from the left, even for negative numbers.
Value ShiftRight(Evaluation& evaluation, const Value* arguments) {
  const std::int64_t places = arguments[1].as_int();
  if (places < 0) {
    return evaluation.FailCopied("math.bitShiftRight() negative offset: " + std::to_string(places));
  }
  return WithBits(places > 63 ? 0 : BitsOf(arguments[0]) >> places, arguments[0]);
}

/// Accepts any number of arguments; three or more become a list.
NodeId ExpandBest(AstBuilder& builder, const MacroCall& call, std::string_view macro,
                  std::string_view function) {
  const Node target = builder.node(call.target);
  if (target.kind != NodeKind::Ident || target.name != "math") return kNoNode;
  for (const NodeId argument : call.arguments) {
    const Node& node = builder.node(argument);
    const bool is_wrong =
        node.kind == NodeKind::Map || node.kind == NodeKind::Struct ||
        (node.kind == NodeKind::List && call.arguments.size() > 1) ||
        (node.kind == NodeKind::Literal && !IsNumber(builder.ast().literal(node)));
    if (is_wrong) {
      return builder.Fault(
          argument, "math." + std::string(macro) + "() simple literal arguments must be numeric");
    }
  }
  if (call.arguments.size() <= 2) return builder.Call(function, call.arguments);
  const std::array<NodeId, 1> list{builder.List(call.arguments)};
  return builder.Call(function, list);
}

NodeId Greatest(AstBuilder& builder, const MacroCall& call) {
  return ExpandBest(builder, call, "greatest", "math.@max");
}
NodeId Least(AstBuilder& builder, const MacroCall& call) {
  return ExpandBest(builder, call, "least", "math.@min");
}

constexpr auto kMacros = std::to_array<Macro>({
    {"greatest", 1, true, Greatest},  {"greatest", 2, true, Greatest},
    {"greatest", 3, true, Greatest},  {"greatest", 4, true, Greatest},
    {"greatest", 5, true, Greatest},  {"greatest", 6, true, Greatest},
    {"greatest", 7, true, Greatest},  {"greatest", 8, true, Greatest},
    {"greatest", 9, true, Greatest},  {"greatest", 10, true, Greatest},
    {"greatest", 11, true, Greatest}, {"greatest", 12, true, Greatest},
    {"greatest", 13, true, Greatest}, {"greatest", 14, true, Greatest},
    {"greatest", 15, true, Greatest}, {"greatest", 16, true, Greatest},
    {"least", 1, true, Least},        {"least", 2, true, Least},
    {"least", 3, true, Least},        {"least", 4, true, Least},
    {"least", 5, true, Least},        {"least", 6, true, Least},
    {"least", 7, true, Least},        {"least", 8, true, Least},
    {"least", 9, true, Least},        {"least", 10, true, Least},
    {"least", 11, true, Least},       {"least", 12, true, Least},
    {"least", 13, true, Least},       {"least", 14, true, Least},
    {"least", 15, true, Least},       {"least", 16, true, Least},
});

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "math_@max_double",
     .name = "math.@max",
     .signature = "double -> double",
     .implementation = Same},
    {.id = "math_@max_int", .name = "math.@max", .signature = "int -> int", .implementation = Same},
    {.id = "math_@max_uint",
     .name = "math.@max",
     .signature = "uint -> uint",
     .implementation = Same},
    {.id = "math_@max_double_double",
     .name = "math.@max",
     .signature = "double, double -> double",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_double_int",
     .name = "math.@max",
     .signature = "double, int -> dyn",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_double_uint",
     .name = "math.@max",
     .signature = "double, uint -> dyn",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_int_double",
     .name = "math.@max",
     .signature = "int, double -> dyn",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_int_int",
     .name = "math.@max",
     .signature = "int, int -> int",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_int_uint",
     .name = "math.@max",
     .signature = "int, uint -> dyn",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_uint_double",
     .name = "math.@max",
     .signature = "uint, double -> dyn",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_uint_int",
     .name = "math.@max",
     .signature = "uint, int -> dyn",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_uint_uint",
     .name = "math.@max",
     .signature = "uint, uint -> uint",
     .implementation = kMaxOfTwo},
    {.id = "math_@max_list_double",
     .name = "math.@max",
     .signature = "list(double) -> double",
     .implementation = kMaxOfList},
    {.id = "math_@max_list_int",
     .name = "math.@max",
     .signature = "list(int) -> int",
     .implementation = kMaxOfList},
    {.id = "math_@max_list_uint",
     .name = "math.@max",
     .signature = "list(uint) -> uint",
     .implementation = kMaxOfList},
    {.id = "math_@min_double",
     .name = "math.@min",
     .signature = "double -> double",
     .implementation = Same},
    {.id = "math_@min_int", .name = "math.@min", .signature = "int -> int", .implementation = Same},
    {.id = "math_@min_uint",
     .name = "math.@min",
     .signature = "uint -> uint",
     .implementation = Same},
    {.id = "math_@min_double_double",
     .name = "math.@min",
     .signature = "double, double -> double",
     .implementation = kMinOfTwo},
    {.id = "math_@min_double_int",
     .name = "math.@min",
     .signature = "double, int -> dyn",
     .implementation = kMinOfTwo},
    {.id = "math_@min_double_uint",
     .name = "math.@min",
     .signature = "double, uint -> dyn",
     .implementation = kMinOfTwo},
    {.id = "math_@min_int_double",
     .name = "math.@min",
     .signature = "int, double -> dyn",
     .implementation = kMinOfTwo},
    {.id = "math_@min_int_int",
     .name = "math.@min",
     .signature = "int, int -> int",
     .implementation = kMinOfTwo},
    {.id = "math_@min_int_uint",
     .name = "math.@min",
     .signature = "int, uint -> dyn",
     .implementation = kMinOfTwo},
    {.id = "math_@min_uint_double",
     .name = "math.@min",
     .signature = "uint, double -> dyn",
     .implementation = kMinOfTwo},
    {.id = "math_@min_uint_int",
     .name = "math.@min",
     .signature = "uint, int -> dyn",
     .implementation = kMinOfTwo},
    {.id = "math_@min_uint_uint",
     .name = "math.@min",
     .signature = "uint, uint -> uint",
     .implementation = kMinOfTwo},
    {.id = "math_@min_list_double",
     .name = "math.@min",
     .signature = "list(double) -> double",
     .implementation = kMinOfList},
    {.id = "math_@min_list_int",
     .name = "math.@min",
     .signature = "list(int) -> int",
     .implementation = kMinOfList},
    {.id = "math_@min_list_uint",
     .name = "math.@min",
     .signature = "list(uint) -> uint",
     .implementation = kMinOfList},
    {.id = "math_ceil_double",
     .name = "math.ceil",
     .signature = "double -> double",
     .implementation = Real<std::ceil>},
    {.id = "math_floor_double",
     .name = "math.floor",
     .signature = "double -> double",
     .implementation = Real<std::floor>},
    {.id = "math_round_double",
     .name = "math.round",
     .signature = "double -> double",
     .implementation = Real<std::round>},
    {.id = "math_trunc_double",
     .name = "math.trunc",
     .signature = "double -> double",
     .implementation = Real<std::trunc>},
    {.id = "math_isInf_double",
     .name = "math.isInf",
     .signature = "double -> bool",
     .implementation = Test<IsInfinite>},
    {.id = "math_isNaN_double",
     .name = "math.isNaN",
     .signature = "double -> bool",
     .implementation = Test<IsNan>},
    {.id = "math_isFinite_double",
     .name = "math.isFinite",
     .signature = "double -> bool",
     .implementation = Test<IsFinite>},
    {.id = "math_abs_double",
     .name = "math.abs",
     .signature = "double -> double",
     .implementation = AbsOfDouble},
    {.id = "math_abs_int",
     .name = "math.abs",
     .signature = "int -> int",
     .implementation = AbsOfInt},
    {.id = "math_abs_uint",
     .name = "math.abs",
     .signature = "uint -> uint",
     .implementation = Same},
    {.id = "math_sign_double",
     .name = "math.sign",
     .signature = "double -> double",
     .implementation = SignOfDouble},
    {.id = "math_sign_int",
     .name = "math.sign",
     .signature = "int -> int",
     .implementation = SignOfInt},
    {.id = "math_sign_uint",
     .name = "math.sign",
     .signature = "uint -> uint",
     .implementation = SignOfUint},
    {.id = "math_sqrt_double",
     .name = "math.sqrt",
     .signature = "double -> double",
     .implementation = SqrtOfDouble},
    {.id = "math_sqrt_int",
     .name = "math.sqrt",
     .signature = "int -> double",
     .implementation = SqrtOfInt},
    {.id = "math_sqrt_uint",
     .name = "math.sqrt",
     .signature = "uint -> double",
     .implementation = SqrtOfUint},
    {.id = "math_bitAnd_int_int",
     .name = "math.bitAnd",
     .signature = "int, int -> int",
     .implementation = Bits<std::bit_and<>>},
    {.id = "math_bitAnd_uint_uint",
     .name = "math.bitAnd",
     .signature = "uint, uint -> uint",
     .implementation = Bits<std::bit_and<>>},
    {.id = "math_bitOr_int_int",
     .name = "math.bitOr",
     .signature = "int, int -> int",
     .implementation = Bits<std::bit_or<>>},
    {.id = "math_bitOr_uint_uint",
     .name = "math.bitOr",
     .signature = "uint, uint -> uint",
     .implementation = Bits<std::bit_or<>>},
    {.id = "math_bitXor_int_int",
     .name = "math.bitXor",
     .signature = "int, int -> int",
     .implementation = Bits<std::bit_xor<>>},
    {.id = "math_bitXor_uint_uint",
     .name = "math.bitXor",
     .signature = "uint, uint -> uint",
     .implementation = Bits<std::bit_xor<>>},
    {.id = "math_bitNot_int_int",
     .name = "math.bitNot",
     .signature = "int -> int",
     .implementation = BitNot},
    {.id = "math_bitNot_uint_uint",
     .name = "math.bitNot",
     .signature = "uint -> uint",
     .implementation = BitNot},
    {.id = "math_bitShiftLeft_int_int",
     .name = "math.bitShiftLeft",
     .signature = "int, int -> int",
     .implementation = ShiftLeft},
    {.id = "math_bitShiftLeft_uint_int",
     .name = "math.bitShiftLeft",
     .signature = "uint, int -> uint",
     .implementation = ShiftLeft},
    {.id = "math_bitShiftRight_int_int",
     .name = "math.bitShiftRight",
     .signature = "int, int -> int",
     .implementation = ShiftRight},
    {.id = "math_bitShiftRight_uint_int",
     .name = "math.bitShiftRight",
     .signature = "uint, int -> uint",
     .implementation = ShiftRight},
});

}  // namespace

const Library kMathLibrary{.name = "math", .functions = kFunctions, .macros = kMacros};

}  // namespace plimsoll::cel
