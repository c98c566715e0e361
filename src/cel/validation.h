#pragma once

#include <string>

#include "cel/ast.h"

namespace plimsoll::cel {

class Environment;
class IssueList;

/// Input of a validator: the checked expression and the list of issues.
class ValidationContext {
 public:
  ValidationContext(const Ast& ast, const Environment& environment, IssueList& issues)
      : ast_(ast), environment_(environment), issues_(issues) {}

  const Ast& ast() const { return ast_; }
  const Environment& environment() const { return environment_; }
  /// Returns all nodes of the expression in upstream's order of traversal (parents first).
  std::span<const NodeId> nodes();
  void Report(NodeId at, std::string message);

 private:
  const Ast& ast_;
  const Environment& environment_;
  IssueList& issues_;
  std::vector<NodeId> nodes_;
};

}  // namespace plimsoll::cel
