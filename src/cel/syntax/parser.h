#pragma once

#include <cstddef>

#include "cel/ast.h"
#include "cel/limits.h"

namespace plimsoll::cel {

class Environment;
class IssueList;

/// Parses `ast.source`, expands the environment's macros and sets `ast.root`. If `issues` is not
/// empty afterwards, the tree is incomplete.
void Parse(const Environment& environment, Ast& ast, IssueList& issues);

}  // namespace plimsoll::cel
