#pragma once

#include "cel/ast.h"

namespace plimsoll::cel {

class Environment;

/// Resolves the names of an expression that runs unchecked. Every type is
/// dyn and calls have no candidates; evaluation looks them up by name and
/// arguments. Never fails: an unknown name or an impossible call is an
/// error when it is evaluated.
void Resolve(const Environment& environment, Ast& ast);

}  // namespace plimsoll::cel
