#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "cel/ast.h"

/// Static cost: minimum and maximum cost of an expression, estimated before it runs. All arithmetic
/// saturates at 2^64-1, which also means "unbounded".
namespace plimsoll::cel {

inline constexpr std::uint64_t kUnbounded = UINT64_MAX;

inline constexpr double kTextCost = 0.1;    // per code point read
inline constexpr double kRegexCost = 0.25;  // per code point of a regular expression
inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;
inline constexpr std::uint64_t kStructCost = 40;

std::uint64_t AddCost(std::uint64_t a, std::uint64_t b);
std::uint64_t MultiplyCost(std::uint64_t a, std::uint64_t b);
/// Returns ceil(cost * factor), in double arithmetic as upstream.
std::uint64_t ScaleCost(std::uint64_t cost, double factor);

/// Range of costs; also used for ranges of sizes.
struct CostRange {
  std::uint64_t min = 0;
  std::uint64_t max = 0;

  static constexpr CostRange Fixed(std::uint64_t cost) { return {cost, cost}; }
  static constexpr CostRange Unknown() { return {0, kUnbounded}; }

  CostRange Add(CostRange other) const {
    return {AddCost(min, other.min), AddCost(max, other.max)};
  }
  CostRange Multiply(CostRange other) const {
    return {MultiplyCost(min, other.min), MultiplyCost(max, other.max)};
  }
  CostRange Scale(double factor) const { return {ScaleCost(min, factor), ScaleCost(max, factor)}; }
  /// Returns the range from the smaller minimum to the larger maximum.
  CostRange Union(CostRange other) const {
    return {min < other.min ? min : other.min, max > other.max ? max : other.max};
  }
  friend bool operator==(const CostRange&, const CostRange&) = default;
};

/// View of a call for a static-cost function: its nodes, their types and sizes.
/// An interface, because libraries may not depend on the estimator, which calls them.
class CostContext {
 public:
  virtual ~CostContext() = default;

  /// Looks up the size in the order given in the README. Returns nothing when it is unknown.
  virtual std::optional<CostRange> FindSize(NodeId node) = 0;
  /// Returns the size of the elements of a list, or of the values of a map.
  virtual std::optional<CostRange> FindElementSize(NodeId node) = 0;
  CostRange SizeOf(NodeId node) { return FindSize(node).value_or(CostRange::Unknown()); }

  virtual const Type* TypeOf(NodeId node) const = 0;
  /// Returns the value of a literal; nullptr for other nodes.
  virtual const Value* LiteralOf(NodeId node) const = 0;
  virtual const Node& NodeOf(NodeId node) const = 0;
};

/// Input of a static-cost function.
struct CostCall {
  std::string_view function;
  std::string_view overload;
  NodeId target = kNoNode;
  std::span<const NodeId> arguments;
  CostRange argument_costs;  // sum over target and arguments
};

struct CallEstimate {
  CostRange cost;  // of the call itself, without its arguments
  std::optional<CostRange> result_size;
};

/// Returns nothing to leave the call to the next function.
using StaticCost = std::optional<CallEstimate> (*)(CostContext& context, const CostCall& call);

/// Returns the actual cost of the call without its arguments. `arguments` begins with
/// the target, if there is one.
using RuntimeCost = std::uint64_t (*)(std::span<const Value> arguments, Value result);
/// Returned to leave the call to the next function. Not a std::optional, because returning one of
/// two words is slow, and this runs for every call.
inline constexpr std::uint64_t kNoCostRule = UINT64_MAX - 1;
/// Returned if the last argument should be a list and is not. Upstream panics here: the whole
/// evaluation fails, and the call is not counted.
inline constexpr std::uint64_t kCostFailure = UINT64_MAX;

}  // namespace plimsoll::cel
