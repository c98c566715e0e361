// `cel.block([a, b], expression)`: values that are computed once, at first use, and referred to by
// index. Written by optimizers, not by people.

#include <array>
#include <string>
#include <vector>

#include "cel/builder.h"
#include "cel/syntax/macros.h"
#include "cel_extensions/extensions.h"

namespace plimsoll::cel {
namespace {

bool IsCel(AstBuilder& builder, NodeId target) {
  const Node& node = builder.node(target);
  return node.kind == NodeKind::Ident && node.name == "cel";
}

/// Returns a name that source text cannot contain: the prefix and the numbers.
std::string_view NameOf(AstBuilder& builder, std::string prefix,
                        std::span<const std::int64_t> numbers) {
  for (const std::int64_t number : numbers) prefix += ':' + std::to_string(number);
  return builder.ast().arena.Copy(prefix);
}

NodeId Numbered(AstBuilder& builder, const MacroCall& call, std::string_view prefix) {
  if (!IsCel(builder, call.target)) return kNoNode;
  std::vector<std::int64_t> numbers;
  for (const NodeId argument : call.arguments) {
    const Node& node = builder.node(argument);
    const bool is_number = node.kind == NodeKind::Literal &&
                           builder.ast().literal(node).is(ValueKind::Int) &&
                           builder.ast().literal(node).as_int() >= 0;
    if (!is_number) return builder.Fault(argument, "must be a non-negative int literal");
    numbers.push_back(builder.ast().literal(node).as_int());
  }
  return builder.Ident(NameOf(builder, std::string(prefix), numbers));
}

NodeId Index(AstBuilder& builder, const MacroCall& call) {
  return Numbered(builder, call, "@index");
}
NodeId IterVar(AstBuilder& builder, const MacroCall& call) {
  return Numbered(builder, call, "@it");
}
NodeId AccuVar(AstBuilder& builder, const MacroCall& call) {
  return Numbered(builder, call, "@ac");
}

NodeId Block(AstBuilder& builder, const MacroCall& call) {
  if (!IsCel(builder, call.target)) return kNoNode;
  const Node list = builder.node(call.arguments[0]);
  if (list.kind != NodeKind::List) {
    return builder.Fault(call.arguments[0],
                         "cel.block requires the first arg to be a list literal");
  }
  const std::span<const NodeId> elements = builder.ast().arguments(list);
  const std::vector<NodeId> values(elements.begin(), elements.end());
  NodeId result = call.arguments[1];
  for (std::size_t i = values.size(); i-- > 0;) {
    const std::array<std::int64_t, 1> number{static_cast<std::int64_t>(i)};
    result = macros::Let(builder, NameOf(builder, "@index", number), values[i], result);
  }
  return result;
}

constexpr auto kMacros = std::to_array<Macro>({
    {"accuVar", 2, true, AccuVar},
    {"block", 2, true, Block},
    {"index", 1, true, Index},
    {"iterVar", 2, true, IterVar},
});

}  // namespace

const Library kBlockLibrary{.name = "block", .macros = kMacros};

}  // namespace plimsoll::cel
