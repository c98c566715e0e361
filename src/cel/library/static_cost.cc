#include "cel/library/static_cost.h"

#include <algorithm>

namespace plimsoll::cel {

std::optional<CallEstimate> StaticCostOfTarget(CostContext& context, const CostCall& call) {
  if (call.target == kNoNode) return std::nullopt;
  const CostRange size = context.SizeOf(call.target);
  return CallEstimate{.cost = size.Scale(kTextCost), .result_size = size};
}

std::optional<CallEstimate> StaticCostOfArgument(CostContext& context, const CostCall& call) {
  if (call.arguments.empty()) return std::nullopt;
  return CallEstimate{.cost = context.SizeOf(call.arguments[0]).Scale(kTextCost)};
}

CostRange StaticCostOfRegex(CostRange subject, CostRange pattern) {
  return subject.Add(CostRange::Fixed(1)).Scale(kTextCost).Multiply(pattern.Scale(kRegexCost));
}

CallEstimate StaticCostOfNewList(CostRange size, double factor) {
  return {.cost = size.Scale(factor).Add(CostRange::Fixed(1 + kListCost)), .result_size = size};
}

std::uint64_t StaticNumber(CostContext& context, NodeId node, std::uint64_t otherwise) {
  const Value* const literal = context.LiteralOf(node);
  if (literal == nullptr || !literal->is(ValueKind::Int)) return otherwise;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(literal->as_int(), 0));
}

}  // namespace plimsoll::cel
