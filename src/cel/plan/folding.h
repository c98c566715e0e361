#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cel/eval/code.h"

namespace plimsoll::cel {

/// Results of constant folding, indexed by node.
struct Folding {
  std::vector<const Value*> constants;  // nullptr: known only at run time
  std::vector<Prepared> prepared;       // for calls
  std::vector<const MapValue*> sets;    // for `x in [constants]`

  const Value* constant(NodeId node) const { return constants[node]; }
};

/// Folds literals and conversions of constants, and prepares regular expressions. The results live
/// in `memory`. The error is the first one in upstream's order of planning.
std::expected<Folding, std::string> Fold(const Ast& ast, Evaluation& memory);

/// Returns the target, if there is one, and the arguments.
std::vector<NodeId> CallArguments(const Ast& ast, NodeId call);

}  // namespace plimsoll::cel
