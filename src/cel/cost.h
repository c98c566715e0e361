#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "cel/ast.h"

/// The terms of static cost: what an expression may cost at least and at most, known before it is
/// run. All arithmetic saturates at 2^64-1, which therefore also means "no bound".
namespace plimsoll::cel {

inline constexpr std::uint64_t kUnbounded = UINT64_MAX;

inline constexpr double kTextCost = 0.1;    // per code point read
inline constexpr double kRegexCost = 0.25;  // per code point of a regular expression
inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;
inline constexpr std::uint64_t kStructCost = 40;

std::uint64_t AddCost(std::uint64_t a, std::uint64_t b);
std::uint64_t MultiplyCost(std::uint64_t a, std::uint64_t b);
/// ceil(cost * factor), in double arithmetic as upstream does it.
std::uint64_t ScaleCost(std::uint64_t cost, double factor);

/// Both a range of costs and, as the same sums are done with them, a range of sizes.
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
  /// From the smaller minimum to the larger maximum.
  CostRange Union(CostRange other) const {
    return {min < other.min ? min : other.min, max > other.max ? max : other.max};
  }
  friend bool operator==(const CostRange&, const CostRange&) = default;
};

/// What a static-cost function sees of a call: its nodes, their types and sizes.
class CostContext {
 public:
  virtual ~CostContext() = default;

  /// By the order of lookup of the README: stored, literal, declared, scalar. Nothing when unknown.
  virtual std::optional<CostRange> FindSize(NodeId node) = 0;
  /// The size of the elements of a list, or of the values of a map.
  virtual std::optional<CostRange> FindElementSize(NodeId node) = 0;
  CostRange SizeOf(NodeId node) { return FindSize(node).value_or(CostRange::Unknown()); }

  virtual const Type* TypeOf(NodeId node) const = 0;
  /// The value of a literal, nullptr of anything else.
  virtual const Value* LiteralOf(NodeId node) const = 0;
  virtual const Node& NodeOf(NodeId node) const = 0;
};

/// A call as a static-cost function gets it.
struct CostCall {
  std::string_view function;
  std::string_view overload;
  NodeId target = kNoNode;
  std::span<const NodeId> arguments;
  CostRange argument_costs;  // the sum over target and arguments
};

struct CallEstimate {
  CostRange cost;  // of the call itself, without its arguments
  std::optional<CostRange> result_size;
};

/// Nothing: this function leaves the call to the next in line.
using StaticCost = std::optional<CallEstimate> (*)(CostContext& context, const CostCall& call);

/// What the call did cost, its arguments not counted. `arguments` begins with the target, if there
/// is one.
using RuntimeCost = std::uint64_t (*)(std::span<const Value> arguments, Value result);
/// The answer of a function that leaves the call to the next in line. No std::optional: those of
/// two words are slow to return, and there is one for every call.
inline constexpr std::uint64_t kLeftToNext = UINT64_MAX - 1;
/// The answer for a last argument that should be a list and is not. Upstream's process stumbles
/// over it: the evaluation as a whole ends with an error, and the call is not counted.
inline constexpr std::uint64_t kUncountable = UINT64_MAX;

}  // namespace plimsoll::cel
