#pragma once

#include <string>

#include "cel/ast.h"

namespace plimsoll::cel {

/// The text of an expression or a part of it, in one spelling: blanks around operators, parentheses
/// only where the tree needs them. It parses to the same tree, but for macros of libraries, which
/// are shown by what they go over: `x.map(…)`.
std::string Unparse(const Ast& ast, NodeId node);

}  // namespace plimsoll::cel
