#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string>

#include "base/limits.h"
#include "cel/library/libraries.h"
#include "cel/library/opaque_value.h"
#include "cel/library/quantity_value.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

const Quantity& QuantityOf(const Value& value) { return As<QuantityValue>(value).quantity(); }

std::optional<Value> Read(const Value* arguments, Arena& arena) {
  Result<Quantity> quantity = Quantity::ParseWide(arguments[0].text());
  if (!quantity) return std::nullopt;
  return MakeOpaque<QuantityValue>(arena, *std::move(quantity));
}
std::string Explain(const Value* arguments) {
  return Quantity::ParseWide(arguments[0].text()).error().message;
}
using Parsed = ParsedCall<Read, Explain>;

/// Time grows with the square of the number of digits, which costs do not cover.
void SpendOnDigits(Evaluation& evaluation, std::uint64_t digits) {
  constexpr std::uint64_t kPairsPerWork = 1024;
  evaluation.Spend(digits * digits / kPairsPerWork);
}

Value Call(Evaluation& evaluation, const Value* arguments) {
  SpendOnDigits(evaluation,
                std::min<std::uint64_t>(arguments[0].text().size(), kQuantityDigitsMax));
  return Parsed::Call(evaluation, arguments);
}

Value IsQuantity(Evaluation&, const Value* arguments) {
  return Value::Bool(Quantity::IsWideQuantity(arguments[0].text()));
}

Value Sign(Evaluation&, const Value* arguments) {
  return Value::Int(QuantityOf(arguments[0]).sign());
}

std::strong_ordering Order(Evaluation& evaluation, const Value* arguments) {
  const Quantity& a = QuantityOf(arguments[0]);
  const Quantity& b = QuantityOf(arguments[1]);
  SpendOnDigits(evaluation, std::min(a.DigitsWrittenOut(), b.DigitsWrittenOut()));
  return a.Compare(b);
}

Value CompareTo(Evaluation& evaluation, const Value* arguments) {
  const std::strong_ordering order = Order(evaluation, arguments);
  return Value::Int(order < 0 ? -1 : order > 0 ? 1 : 0);
}
Value IsGreaterThan(Evaluation& evaluation, const Value* arguments) {
  return Value::Bool(Order(evaluation, arguments) > 0);
}
Value IsLessThan(Evaluation& evaluation, const Value* arguments) {
  return Value::Bool(Order(evaluation, arguments) < 0);
}

Value AsInteger(Evaluation& evaluation, const Value* arguments) {
  const std::optional<std::int64_t> number = QuantityOf(arguments[0]).AsInt64();
  return number ? Value::Int(*number) : evaluation.Fail("cannot convert value to integer");
}

Value IsInteger(Evaluation&, const Value* arguments) {
  return Value::Bool(QuantityOf(arguments[0]).AsInt64().has_value());
}

Value AsApproximateFloat(Evaluation&, const Value* arguments) {
  return Value::Double(QuantityOf(arguments[0]).AsApproximateDouble());
}

/// Returns the right operand, which may be a number.
Quantity OperandOf(const Value& value) {
  if (value.is(ValueKind::Int)) {
    return Quantity::FromInt(value.as_int(), Quantity::Format::DecimalExponent);
  }
  return QuantityOf(value);
}

template <void (Quantity::*kOperation)(const Quantity&)>
Value Calculate(Evaluation& evaluation, const Value* arguments) {
  Quantity result = QuantityOf(arguments[0]);
  const Quantity operand = OperandOf(arguments[1]);
  if (result.is_wide() || operand.is_wide()) {
    return evaluation.Fail("the quantity has too many digits");
  }
  SpendOnDigits(evaluation, std::max(result.DigitsWrittenOut(), operand.DigitsWrittenOut()));
  (result.*kOperation)(operand);
  return MakeOpaque<QuantityValue>(evaluation.arena(), std::move(result), true);
}
constexpr Implementation kAdd = Calculate<&Quantity::Add>;
constexpr Implementation kSub = Calculate<&Quantity::Sub>;

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_quantity",
     .name = "quantity",
     .signature = "string -> kubernetes.Quantity",
     .implementation = Call,
     .prepare = Parsed::PrepareCall},
    {.id = "is_quantity_string",
     .name = "isQuantity",
     .signature = "string -> bool",
     .implementation = IsQuantity},
    {.id = "quantity_sign",
     .name = "sign",
     .signature = "kubernetes.Quantity -> int",
     .implementation = Sign},
    {.id = "quantity_compare_to",
     .name = "compareTo",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> int",
     .implementation = CompareTo},
    {.id = "quantity_get_int",
     .name = "asInteger",
     .is_member = true,
     .signature = "kubernetes.Quantity -> int",
     .implementation = AsInteger},
    {.id = "quantity_get_float",
     .name = "asApproximateFloat",
     .is_member = true,
     .signature = "kubernetes.Quantity -> double",
     .implementation = AsApproximateFloat},
    {.id = "quantity_is_integer",
     .name = "isInteger",
     .is_member = true,
     .signature = "kubernetes.Quantity -> bool",
     .implementation = IsInteger},
    {.id = "quantity_is_greater_than",
     .name = "isGreaterThan",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> bool",
     .implementation = IsGreaterThan},
    {.id = "quantity_is_less_than",
     .name = "isLessThan",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> bool",
     .implementation = IsLessThan},
    {.id = "quantity_add",
     .name = "add",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity",
     .implementation = kAdd},
    {.id = "quantity_add_int",
     .name = "add",
     .is_member = true,
     .signature = "kubernetes.Quantity, int -> kubernetes.Quantity",
     .implementation = kAdd},
    {.id = "quantity_sub",
     .name = "sub",
     .is_member = true,
     .signature = "kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity",
     .implementation = kSub},
    {.id = "quantity_sub_int",
     .name = "sub",
     .is_member = true,
     .signature = "kubernetes.Quantity, int -> kubernetes.Quantity",
     .implementation = kSub},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"isQuantity", CostOfReading},
    {"quantity", CostOfReading},
});

constexpr std::string_view kTypeName = "kubernetes.Quantity";

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"quantity", StaticCostOfArgument},
    {"isQuantity", StaticCostOfArgument},
    {"_==_", StaticCostOfEqual<kTypeName>},
});

constexpr std::array<std::string_view, 1> kObjects{"kubernetes.Quantity"};

}  // namespace

const Type* QuantityValue::type() const {
  static const OpaqueType type("kubernetes.Quantity");
  return type.get();
}

Value QuantityValue::Equals(Evaluation& evaluation, const Value& other) const {
  const QuantityValue* const right = Find<QuantityValue>(other);
  if (right == nullptr || right->is_sum_) return evaluation.NoSuchOverload();
  SpendOnDigits(evaluation,
                std::min(quantity_.DigitsWrittenOut(), right->quantity_.DigitsWrittenOut()));
  return Value::Bool(quantity_ == right->quantity_);
}

const Library kQuantityLibrary{.name = "quantity",
                               .functions = kFunctions,
                               .function_costs = kStaticCosts,
                               .function_runtime_costs = kRuntimeCosts,
                               .objects = kObjects};

}  // namespace plimsoll::cel
