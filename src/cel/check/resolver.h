#pragma once

#include "cel/ast.h"

namespace plimsoll::cel {

class Environment;

/// Does for an expression that is to run unchecked what the checker does besides checking: finds
/// what names stand for. Every type is dyn and calls have no candidates, so that they are found at
/// run time by name and arguments. It refuses nothing: a name that means nothing, such as a call
/// that nobody can answer, is an error when it is read.
void Resolve(const Environment& environment, Ast& ast);

}  // namespace plimsoll::cel
