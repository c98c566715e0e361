#pragma once

#include "cel/ast.h"

namespace plimsoll::cel {

class Environment;
class IssueList;

/// Resolves the names and calls of a parsed expression and fills in its types and references. Names
/// that turn out qualified (`optional.of`, `net.IP`) are rewritten in place. When `issues` is not
/// empty after it, the expression cannot be run.
void Check(const Environment& environment, Ast& ast, IssueList& issues);

}  // namespace plimsoll::cel
