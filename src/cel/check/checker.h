#pragma once

#include "cel/ast.h"

namespace plimsoll::cel {

class Environment;
class IssueList;

/// Resolves the names and calls of a parsed expression and sets its types and references. Rewrites
/// qualified names (`optional.of`, `net.IP`) in place. If `issues` is not empty afterwards, the
/// expression must not be run.
void Check(const Environment& environment, Ast& ast, IssueList& issues);

}  // namespace plimsoll::cel
