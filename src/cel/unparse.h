#pragma once

#include <string>

#include "cel/ast.h"

namespace plimsoll::cel {

/// Formats an expression or a part of it: blanks around operators, parentheses only
/// where needed. The text parses to the same tree, except for macros of libraries, which
/// are abbreviated: `x.map(…)`.
std::string Unparse(const Ast& ast, NodeId node);

}  // namespace plimsoll::cel
