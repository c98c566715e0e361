#pragma once

#include <cstddef>

#include "cel/ast.h"

namespace plimsoll::cel {

class Environment;
class IssueList;

inline constexpr std::size_t kSourceCodePointsMax = 100'000;
inline constexpr int kNestingMax = 250;

/// Parses `ast.source`, expands the environment's macros and sets `ast.root`. If `issues` is not
/// empty afterwards, the tree is incomplete.
void Parse(const Environment& environment, Ast& ast, IssueList& issues);

}  // namespace plimsoll::cel
