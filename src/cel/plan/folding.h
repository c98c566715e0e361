#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cel/eval/code.h"

namespace plimsoll::cel {

/// What is known of an expression before it runs, by node.
struct Folding {
  std::vector<const Value*> constants;  // nullptr: known only at run time
  std::vector<Prepared> prepared;       // of calls
  std::vector<const MapValue*> sets;    // of `x in [constants]`

  const Value* constant(NodeId node) const { return constants[node]; }
};

/// Literals of constants become constants, conversions of constants are done, regular expressions
/// compiled. All of it lives in `memory`. The error is the first in upstream's order of planning.
std::expected<Folding, std::string> Fold(const Ast& ast, Evaluation& memory);

/// The target, if there is one, and the arguments.
std::vector<NodeId> CallArguments(const Ast& ast, NodeId call);

}  // namespace plimsoll::cel
