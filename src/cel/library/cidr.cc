#include <array>
#include <optional>
#include <string>

#include "base/go_text.h"
#include "cel/library/ip_value.h"
#include "cel/library/libraries.h"
#include "cel/library/opaque_value.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

const IpPrefix& PrefixOf(const Value& value) { return As<CidrValue>(value).prefix(); }

std::optional<IpPrefix> ReadPlainPrefix(std::string_view text) {
  const std::optional<IpPrefix> prefix = ReadIpPrefix(text);
  if (!prefix || prefix->address.is_v4_in_v6()) return std::nullopt;
  return prefix;
}

std::string ExplainPlainPrefix(std::string_view text) {
  // Upstream adds the same prefix to the error at two levels.
  const std::string fault = "network address parse error during conversion from string: ";
  if (!ReadIpPrefix(text)) return fault + fault + ExplainIpPrefix(text);
  return fault + "IPv4-mapped IPv6 address " + GoQuote(text) + " is not allowed";
}

std::optional<Value> Read(const Value* arguments, Arena& arena) {
  const std::optional<IpPrefix> prefix = ReadPlainPrefix(arguments[0].text());
  if (!prefix) return std::nullopt;
  return MakeOpaque<CidrValue>(arena, *prefix);
}
std::string Explain(const Value* arguments) { return ExplainPlainPrefix(arguments[0].text()); }
using Call = ParsedCall<Read, Explain>;

Value IsCidr(Evaluation&, const Value* arguments) {
  return Value::Bool(ReadPlainPrefix(arguments[0].text()).has_value());
}

Value Contains(const IpPrefix& prefix, const IpAddress& address) {
  return Value::Bool(address.is_v4 == prefix.address.is_v4 &&
                     address.Masked(prefix.bits) == prefix.address.Masked(prefix.bits));
}

Value ContainsIp(Evaluation&, const Value* arguments) {
  return Contains(PrefixOf(arguments[0]), As<IpValue>(arguments[1]).address());
}

Value ContainsIpText(Evaluation& evaluation, const Value* arguments) {
  const std::optional<IpAddress> address = ReadPlainAddress(arguments[1].text());
  // Upstream discards the parse error.
  if (!address) return evaluation.NoSuchOverload();
  return Contains(PrefixOf(arguments[0]), *address);
}

Value ContainsPrefix(const IpPrefix& outer, const IpPrefix& inner) {
  if (outer.bits > inner.bits) return Value::Bool(false);
  return Contains(outer, inner.address);
}

Value ContainsCidr(Evaluation&, const Value* arguments) {
  return ContainsPrefix(PrefixOf(arguments[0]), PrefixOf(arguments[1]));
}

std::string ExplainError(const ErrorValue& error) {
  return ExplainPlainPrefix(error.first().text());
}

Value ContainsCidrText(Evaluation& evaluation, const Value* arguments) {
  const std::optional<IpPrefix> inner = ReadPlainPrefix(arguments[1].text());
  if (!inner) return evaluation.FailLater(ExplainError, {}, arguments[1]);
  return ContainsPrefix(PrefixOf(arguments[0]), *inner);
}

Value Ip(Evaluation& evaluation, const Value* arguments) {
  return MakeOpaque<IpValue>(evaluation.arena(), PrefixOf(arguments[0]).address);
}

Value Masked(Evaluation& evaluation, const Value* arguments) {
  IpPrefix prefix = PrefixOf(arguments[0]);
  prefix.address = prefix.address.Masked(prefix.bits);
  return MakeOpaque<CidrValue>(evaluation.arena(), prefix);
}

Value PrefixLength(Evaluation&, const Value* arguments) {
  return Value::Int(PrefixOf(arguments[0]).bits);
}

Value ToString(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(PrefixOf(arguments[0]).Text());
}

/// Compares the bytes of the prefix with as many others, after parsing a text.
std::uint64_t CostOfContainsIp(std::span<const Value> arguments, Value) {
  std::uint64_t cost = SizeCost(2 * ActualSize(arguments[0]), kTextCost);
  if (arguments[1].is(ValueKind::String)) cost += SizeCost(ActualSize(arguments[1]), kTextCost);
  return cost;
}

std::uint64_t CostOfContainsCidr(std::span<const Value> arguments, Value result) {
  return CostOfContainsIp(arguments, result) + SizeCost(ActualSize(arguments[0]), kTextCost) + 1;
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_cidr",
     .name = "cidr",
     .signature = "string -> net.CIDR",
     .implementation = Call::Call,
     .prepare = Call::PrepareCall},
    {.id = "is_cidr", .name = "isCIDR", .signature = "string -> bool", .implementation = IsCidr},
    {.id = "cidr_contains_ip_ip",
     .name = "containsIP",
     .is_member = true,
     .signature = "net.CIDR, net.IP -> bool",
     .implementation = ContainsIp},
    {.id = "cidr_contains_ip_string",
     .name = "containsIP",
     .is_member = true,
     .signature = "net.CIDR, string -> bool",
     .implementation = ContainsIpText},
    {.id = "cidr_contains_cidr",
     .name = "containsCIDR",
     .is_member = true,
     .signature = "net.CIDR, net.CIDR -> bool",
     .implementation = ContainsCidr},
    {.id = "cidr_contains_cidr_string",
     .name = "containsCIDR",
     .is_member = true,
     .signature = "net.CIDR, string -> bool",
     .implementation = ContainsCidrText},
    {.id = "cidr_ip",
     .name = "ip",
     .is_member = true,
     .signature = "net.CIDR -> net.IP",
     .implementation = Ip},
    {.id = "cidr_masked",
     .name = "masked",
     .is_member = true,
     .signature = "net.CIDR -> net.CIDR",
     .implementation = Masked},
    {.id = "cidr_prefix_length",
     .name = "prefixLength",
     .is_member = true,
     .signature = "net.CIDR -> int",
     .implementation = PrefixLength},
    {.id = "cidr_to_string",
     .name = "string",
     .signature = "net.CIDR -> string",
     .implementation = ToString},
});

/// Addresses have a size, but the cost of comparing them does not depend on it.
std::uint64_t CostOfEqual(std::span<const Value> arguments, Value) {
  return Find<CidrValue>(arguments[0]) == nullptr ? kNoCostRule : 1;
}

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"_==_", CostOfEqual},
    {"cidr", CostOfReading},
    {"containsCIDR", CostOfContainsCidr},
    {"containsIP", CostOfContainsIp},
    {"isCIDR", CostOfReading},
});

constexpr std::string_view kTypeName = "net.CIDR";

constexpr CostRange kAddressSize{4, 16};

/// Cost of comparing two addresses, after parsing a text.
CostRange ContainsCost(CostContext& context, const CostCall& call) {
  const CostRange cost = kAddressSize.Add(kAddressSize).Scale(kTextCost);
  const NodeId argument = call.arguments[0];
  if (!call.overload.ends_with("_string")) return cost;
  return cost.Add(context.SizeOf(argument).Scale(kTextCost));
}

std::optional<CallEstimate> ContainsIpCost(CostContext& context, const CostCall& call) {
  return CallEstimate{.cost = ContainsCost(context, call)};
}

/// Also masks the other address and compares the prefix lengths.
std::optional<CallEstimate> ContainsCidrCost(CostContext& context, const CostCall& call) {
  return CallEstimate{
      .cost =
          ContainsCost(context, call).Add(kAddressSize.Scale(kTextCost)).Add(CostRange::Fixed(1))};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"cidr", StaticCostOfArgument},
    {"isCIDR", StaticCostOfArgument},
    {"containsIP", ContainsIpCost},
    {"containsCIDR", ContainsCidrCost},
    {"_==_", StaticCostOfEqual<kTypeName>},
});

constexpr std::array<std::string_view, 1> kTypes{"net.CIDR"};

}  // namespace

const Type* CidrValue::type() const {
  static const OpaqueType type("net.CIDR");
  return type.get();
}

Value CidrValue::Equals(Evaluation& evaluation, const Value& other) const {
  const CidrValue* const right = Find<CidrValue>(other);
  if (right == nullptr) return evaluation.NoSuchOverload();
  return Value::Bool(prefix_ == right->prefix_);
}

const Library kCidrLibrary{.name = "cidr",
                           .functions = kFunctions,
                           .function_costs = kStaticCosts,
                           .function_runtime_costs = kRuntimeCosts,
                           .types = kTypes};

}  // namespace plimsoll::cel
