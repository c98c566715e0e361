#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cel/ast.h"
#include "cel/limits.h"

namespace plimsoll::cel {

class IssueList;

/// Creates nodes for the parser and for macros. New nodes get the offset set by At, that
/// of the node being expanded.
class AstBuilder {
 public:
  AstBuilder(Ast& ast, IssueList& issues) : ast_(ast), issues_(issues) {}

  /// Sets the offset of the following nodes.
  void At(std::uint32_t offset) { offset_ = offset; }
  std::uint32_t offset() const { return offset_; }

  NodeId Literal(const Value& value);
  NodeId Ident(std::string_view name);
  NodeId Select(NodeId operand, std::string_view field);
  NodeId Test(NodeId operand, std::string_view field);
  NodeId Call(std::string_view function, std::span<const NodeId> arguments);
  NodeId Member(std::string_view function, NodeId target, std::span<const NodeId> arguments);
  NodeId List(std::span<const NodeId> elements);
  NodeId Map(std::span<const Entry> entries);
  NodeId Struct(std::string_view type, std::span<const Entry> fields);
  NodeId Fold(const Comprehension& comprehension);

  /// Copies a node and its children, because no node may have two parents. Nested copies grow
  /// exponentially, so an issue is reported beyond kCopiesMax.
  NodeId Copy(NodeId node);
  /// Reports an issue at a node and returns a Fault node.
  NodeId Fault(NodeId at, std::string message);

  const Node& node(NodeId id) const { return ast_.nodes[id]; }
  Node& node(NodeId id) { return ast_.nodes[id]; }
  Ast& ast() { return ast_; }

 private:
  NodeId Add(Node node);

  Ast& ast_;
  IssueList& issues_;
  std::uint32_t offset_ = 0;
  std::uint32_t copies_ = 0;
};

}  // namespace plimsoll::cel
