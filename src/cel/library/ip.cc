#include <algorithm>
#include <array>

#include "base/go_text.h"
#include "cel/library/ip_value.h"
#include "cel/library/libraries.h"
#include "cel/library/opaque_value.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

const IpAddress& AddressOf(const Value& value) { return As<IpValue>(value).address(); }

std::optional<Value> Read(const Value* arguments, Arena& arena) {
  const std::optional<IpAddress> address = ReadPlainAddress(arguments[0].text());
  if (!address) return std::nullopt;
  return MakeOpaque<IpValue>(arena, *address);
}
std::string Explain(const Value* arguments) { return ExplainPlainAddress(arguments[0].text()); }
using Call = ParsedCall<Read, Explain>;

Value IsIp(Evaluation&, const Value* arguments) {
  return Value::Bool(ReadPlainAddress(arguments[0].text()).has_value());
}

std::string ExplainError(const ErrorValue& error) {
  return ExplainPlainAddress(error.first().text());
}

Value IsCanonical(Evaluation& evaluation, const Value* arguments) {
  const std::optional<IpAddress> address = ReadPlainAddress(arguments[0].text());
  if (!address) return evaluation.FailLater(ExplainError, {}, arguments[0]);
  return Value::Bool(address->Text() == arguments[0].text());
}

Value Family(Evaluation&, const Value* arguments) {
  return Value::Int(AddressOf(arguments[0]).is_v4 ? 4 : 6);
}

Value ToString(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(AddressOf(arguments[0]).Text());
}

bool IsUnspecified(const IpAddress& address) {
  return std::all_of(address.bytes.begin(), address.bytes.end(),
                     [](std::uint8_t byte) { return byte == 0; });
}

bool IsLoopback(const IpAddress& address) {
  if (address.is_v4) return address.bytes[0] == 127;
  IpAddress one;
  one.bytes[15] = 1;
  return address == one;
}

bool IsMulticast(const IpAddress& address) {
  return address.is_v4 ? (address.bytes[0] & 0xf0) == 0xe0 : address.bytes[0] == 0xff;
}

bool IsLinkLocalMulticast(const IpAddress& address) {
  const auto& bytes = address.bytes;
  if (address.is_v4) return bytes[0] == 224 && bytes[1] == 0 && bytes[2] == 0;
  return bytes[0] == 0xff && (bytes[1] & 0x0f) == 0x02;
}

bool IsLinkLocalUnicast(const IpAddress& address) {
  const auto& bytes = address.bytes;
  if (address.is_v4) return bytes[0] == 169 && bytes[1] == 254;
  return bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

bool IsBroadcast(const IpAddress& address) {
  return address.is_v4 && std::all_of(address.bytes.begin(), address.bytes.begin() + 4,
                                      [](std::uint8_t byte) { return byte == 0xff; });
}

bool IsGlobalUnicast(const IpAddress& address) {
  return !IsUnspecified(address) && !IsBroadcast(address) && !IsLoopback(address) &&
         !IsMulticast(address) && !IsLinkLocalUnicast(address);
}

template <bool (*kTest)(const IpAddress&)>
Value Test(Evaluation&, const Value* arguments) {
  return Value::Bool(kTest(AddressOf(arguments[0])));
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_ip",
     .name = "ip",
     .signature = "string -> net.IP",
     .implementation = Call::Call,
     .prepare = Call::PrepareCall},
    {.id = "is_ip", .name = "isIP", .signature = "string -> bool", .implementation = IsIp},
    {.id = "ip_is_canonical",
     .name = "ip.isCanonical",
     .signature = "string -> bool",
     .implementation = IsCanonical},
    {.id = "ip_family",
     .name = "family",
     .is_member = true,
     .signature = "net.IP -> int",
     .implementation = Family},
    {.id = "ip_is_unspecified",
     .name = "isUnspecified",
     .is_member = true,
     .signature = "net.IP -> bool",
     .implementation = Test<IsUnspecified>},
    {.id = "ip_is_loopback",
     .name = "isLoopback",
     .is_member = true,
     .signature = "net.IP -> bool",
     .implementation = Test<IsLoopback>},
    {.id = "ip_is_link_local_multicast",
     .name = "isLinkLocalMulticast",
     .is_member = true,
     .signature = "net.IP -> bool",
     .implementation = Test<IsLinkLocalMulticast>},
    {.id = "ip_is_link_local_unicast",
     .name = "isLinkLocalUnicast",
     .is_member = true,
     .signature = "net.IP -> bool",
     .implementation = Test<IsLinkLocalUnicast>},
    {.id = "ip_is_global_unicast",
     .name = "isGlobalUnicast",
     .is_member = true,
     .signature = "net.IP -> bool",
     .implementation = Test<IsGlobalUnicast>},
    {.id = "ip_to_string",
     .name = "string",
     .signature = "net.IP -> string",
     .implementation = ToString},
});

/// Addresses have a size, but the cost of comparing them does not depend on it.
std::uint64_t CostOfEqual(std::span<const Value> arguments, Value) {
  return Find<IpValue>(arguments[0]) == nullptr ? kNoCostRule : 1;
}

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"_==_", CostOfEqual},
    {"ip", CostOfReading},
    {"ip.isCanonical", CostOfReadingTwice},
    {"isIP", CostOfReading},
});

constexpr std::string_view kTypeName = "net.IP";

/// `ip(text)` parses a text; `cidr.ip()` does not.
std::optional<CallEstimate> IpCost(CostContext& context, const CostCall& call) {
  if (call.target != kNoNode) return std::nullopt;
  return StaticCostOfArgument(context, call);
}

/// Cost of parsing the text and formatting it again to compare.
std::optional<CallEstimate> CanonicalCost(CostContext& context, const CostCall& call) {
  return CallEstimate{.cost = context.SizeOf(call.arguments[0]).Scale(2 * kTextCost)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"ip", IpCost},
    {"isIP", StaticCostOfArgument},
    {"ip.isCanonical", CanonicalCost},
    {"_==_", StaticCostOfEqual<kTypeName>},
});

constexpr std::array<std::string_view, 1> kTypes{"net.IP"};

}  // namespace

const Type* IpValue::type() const {
  static const OpaqueType type("net.IP");
  return type.get();
}

Value IpValue::Equals(Evaluation& evaluation, const Value& other) const {
  const IpValue* const right = Find<IpValue>(other);
  if (right == nullptr) return evaluation.NoSuchOverload();
  return Value::Bool(address_ == right->address_);
}

std::optional<IpAddress> ReadPlainAddress(std::string_view text) {
  const std::optional<IpAddress> address = ReadIpAddress(text);
  if (!address || address->has_zone || address->is_v4_in_v6()) return std::nullopt;
  return address;
}

std::string ExplainPlainAddress(std::string_view text) {
  const std::optional<IpAddress> address = ReadIpAddress(text);
  if (!address) {
    return "IP Address " + GoQuote(text) +
           " parse error during conversion from string: " + ExplainIpAddress(text);
  }
  if (address->has_zone) {
    return "IP address " + GoQuote(text) + " with zone value is not allowed";
  }
  return "IPv4-mapped IPv6 address " + GoQuote(text) + " is not allowed";
}

const Library kIpLibrary{.name = "ip",
                         .functions = kFunctions,
                         .function_costs = kStaticCosts,
                         .function_runtime_costs = kRuntimeCosts,
                         .types = kTypes};

}  // namespace plimsoll::cel
