#pragma once

#include "cel/ast.h"
#include "cel/library.h"

namespace plimsoll::cel {

class Environment;
class IssueList;

/// Runs the validators enabled by the environment's options and
/// libraries on a checked expression.
void RunValidators(const Environment& environment, const Ast& ast, IssueList& issues);

/// Validator of the strings library: checks constant formats of `format` against argument types.
void ValidateFormats(ValidationContext& context);

}  // namespace plimsoll::cel
