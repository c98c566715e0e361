#pragma once

#include <cstdint>
#include <optional>

#include "cel/cost.h"

/// Static costs shared by several libraries.
namespace plimsoll::cel {

/// Cost of reading the target once; the result has its size. For functions like trim.
std::optional<CallEstimate> StaticCostOfTarget(CostContext& context, const CostCall& call);
/// Cost of reading the first argument once.
std::optional<CallEstimate> StaticCostOfArgument(CostContext& context, const CostCall& call);
/// Cost of searching the target for a regular expression. Adds one code point to the subject,
/// because matching the empty text has a cost too.
CostRange StaticCostOfRegex(CostRange subject, CostRange pattern);
/// Cost of a new list of this size, plus the call.
CallEstimate StaticCostOfNewList(CostRange size, double factor = 1);
/// Cost of `==` if both sides have the opaque or object type of this name: 1.
template <const std::string_view& name>
std::optional<CallEstimate> StaticCostOfEqual(CostContext& context, const CostCall& call) {
  for (const NodeId side : call.arguments) {
    if (context.TypeOf(side)->name() != name) return std::nullopt;
  }
  return CallEstimate{.cost = CostRange::Fixed(1)};
}
/// Returns the value of an int literal, 0 for a negative one, `otherwise` for other nodes.
std::uint64_t StaticNumber(CostContext& context, NodeId node, std::uint64_t otherwise);

}  // namespace plimsoll::cel
