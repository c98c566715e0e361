#pragma once

#include <string>
#include <string_view>

#include "cel/ast.h"

namespace plimsoll::cel {

/// Calls `find` with each candidate for `name` in the container, innermost
/// first, until it finds something.
template <class Find>
auto FindInContainer(std::string_view container, std::string_view name, Find find)
    -> decltype(find(name)) {
  if (name.starts_with('.')) return find(name.substr(1));
  while (!container.empty()) {
    const auto found = find(std::string(container) + "." + std::string(name));
    if (found) return found;
    const std::size_t dot = container.rfind('.');
    container = container.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return find(name);
}

/// Writes `a.b.c` for a chain of plain selections. Returns false for other expressions.
bool QualifiedName(const Ast& ast, NodeId id, std::string& out);

}  // namespace plimsoll::cel
