#include "cel/check/names.h"

namespace plimsoll::cel {

bool QualifiedName(const Ast& ast, NodeId id, std::string& out) {
  const Node& node = ast.nodes[id];
  if (node.kind == NodeKind::Ident) {
    out = node.name;
    return true;
  }
  if (node.kind != NodeKind::Select || node.is_test || !QualifiedName(ast, node.operand, out)) {
    return false;
  }
  out += '.';
  out += node.name;
  return true;
}

}  // namespace plimsoll::cel
