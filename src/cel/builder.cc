#include "cel/builder.h"

#include <utility>
#include <vector>

#include "cel/syntax/issue_list.h"

namespace plimsoll::cel {
namespace {

std::uint32_t Count(std::size_t size) { return static_cast<std::uint32_t>(size); }

}  // namespace

NodeId AstBuilder::Add(Node node) {
  node.offset = offset_;
  ast_.nodes.push_back(node);
  return Count(ast_.nodes.size() - 1);
}

NodeId AstBuilder::Literal(const Value& value) {
  ast_.literals.push_back(value);
  return Add({.kind = NodeKind::Literal, .operand = Count(ast_.literals.size() - 1)});
}

NodeId AstBuilder::Ident(std::string_view name) {
  return Add({.kind = NodeKind::Ident, .name = name});
}

NodeId AstBuilder::Select(NodeId operand, std::string_view field) {
  return Add({.kind = NodeKind::Select, .name = field, .operand = operand});
}

NodeId AstBuilder::Test(NodeId operand, std::string_view field) {
  return Add({.kind = NodeKind::Select, .is_test = true, .name = field, .operand = operand});
}

NodeId AstBuilder::Call(std::string_view function, std::span<const NodeId> arguments) {
  return Member(function, kNoNode, arguments);
}

NodeId AstBuilder::Member(std::string_view function, NodeId target,
                          std::span<const NodeId> arguments) {
  const std::uint32_t first = Count(ast_.children.size());
  ast_.children.insert(ast_.children.end(), arguments.begin(), arguments.end());
  return Add({.kind = NodeKind::Call,
              .name = function,
              .operand = target,
              .first = first,
              .count = Count(arguments.size())});
}

NodeId AstBuilder::List(std::span<const NodeId> elements) {
  const std::uint32_t first = Count(ast_.children.size());
  ast_.children.insert(ast_.children.end(), elements.begin(), elements.end());
  return Add({.kind = NodeKind::List, .first = first, .count = Count(elements.size())});
}

NodeId AstBuilder::Map(std::span<const Entry> entries) {
  const NodeId made = Struct({}, entries);
  ast_.nodes[made].kind = NodeKind::Map;
  return made;
}

NodeId AstBuilder::Struct(std::string_view type, std::span<const Entry> fields) {
  const std::uint32_t first = Count(ast_.entries.size());
  ast_.entries.insert(ast_.entries.end(), fields.begin(), fields.end());
  return Add(
      {.kind = NodeKind::Struct, .name = type, .first = first, .count = Count(fields.size())});
}

NodeId AstBuilder::Fold(const Comprehension& comprehension) {
  ast_.comprehensions.push_back(comprehension);
  return Add({.kind = NodeKind::Comprehension, .operand = Count(ast_.comprehensions.size() - 1)});
}

NodeId AstBuilder::Copy(NodeId id) {
  if (copies_ == kCopiesMax) return Add({.kind = NodeKind::Fault});
  if (++copies_ == kCopiesMax)
    return Fault(id, "expression is too complex: macros repeat it too often");
  Node node = ast_.nodes[id];
  switch (node.kind) {
    case NodeKind::Select:
      node.operand = Copy(node.operand);
      break;
    case NodeKind::Call:
    case NodeKind::List: {
      std::vector<NodeId> copies;
      for (std::uint32_t i = 0; i < node.count; ++i) {
        copies.push_back(Copy(ast_.children[node.first + i]));
      }
      if (node.kind == NodeKind::Call && node.operand != kNoNode) node.operand = Copy(node.operand);
      node.first = Count(ast_.children.size());
      ast_.children.insert(ast_.children.end(), copies.begin(), copies.end());
      break;
    }
    case NodeKind::Map:
    case NodeKind::Struct: {
      std::vector<Entry> copies;
      for (std::uint32_t i = 0; i < node.count; ++i) {
        Entry entry = ast_.entries[node.first + i];
        if (entry.key != kNoNode) entry.key = Copy(entry.key);
        entry.value = Copy(entry.value);
        copies.push_back(entry);
      }
      node.first = Count(ast_.entries.size());
      ast_.entries.insert(ast_.entries.end(), copies.begin(), copies.end());
      break;
    }
    case NodeKind::Comprehension: {
      Comprehension fold = ast_.comprehensions[node.operand];
      for (NodeId* part : {&fold.range, &fold.init, &fold.condition, &fold.step, &fold.result}) {
        *part = Copy(*part);
      }
      ast_.comprehensions.push_back(fold);
      node.operand = Count(ast_.comprehensions.size() - 1);
      break;
    }
    case NodeKind::Fault:
    case NodeKind::Literal:
    case NodeKind::Ident:
      break;
  }
  // A copy has the offset of the original.
  ast_.nodes.push_back(node);
  return Count(ast_.nodes.size() - 1);
}

NodeId AstBuilder::Fault(NodeId at, std::string message) {
  issues_.Report(ast_.nodes[at].offset, std::move(message));
  return Add({.kind = NodeKind::Fault});
}

}  // namespace plimsoll::cel
