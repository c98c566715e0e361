#pragma once

#include "cel/ast.h"
#include "cel/library.h"

namespace plimsoll::cel {

class Environment;
class IssueList;

/// Runs the validators that the environment's options and libraries ask for over a checked
/// expression.
void RunValidators(const Environment& environment, const Ast& ast, IssueList& issues);

/// Of the strings library: constant formats of `format` against the types of their arguments.
void ValidateFormats(ValidationContext& context);

}  // namespace plimsoll::cel
