#pragma once

#include <cstdint>
#include <optional>

#include "cel/cost.h"

/// Static costs that several libraries share.
namespace plimsoll::cel {

/// Reads the target once; the result is as large. Of functions like trim.
std::optional<CallEstimate> StaticCostOfTarget(CostContext& context, const CostCall& call);
/// Reads the first argument once.
std::optional<CallEstimate> StaticCostOfArgument(CostContext& context, const CostCall& call);
/// Searches the target for a regular expression. One more code point is counted, as even the empty
/// text costs a look at the expression.
CostRange StaticCostOfRegex(CostRange subject, CostRange pattern);
/// A new list of this size, plus the call.
CallEstimate StaticCostOfNewList(CostRange size, double factor = 1);
/// Of `==` where both sides have the opaque or object type of this name: 1.
template <const std::string_view& name>
std::optional<CallEstimate> StaticCostOfEqual(CostContext& context, const CostCall& call) {
  for (const NodeId side : call.arguments) {
    if (context.TypeOf(side)->name() != name) return std::nullopt;
  }
  return CallEstimate{.cost = CostRange::Fixed(1)};
}
/// The value of an int literal, 0 for a negative one, `otherwise` for all that is no int literal.
std::uint64_t StaticNumber(CostContext& context, NodeId node, std::uint64_t otherwise);

}  // namespace plimsoll::cel
