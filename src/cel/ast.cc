#include "cel/ast.h"

namespace plimsoll::cel {
namespace {

template <class... Vectors>
std::size_t BytesOf(const Vectors&... vectors) {
  return (... + (vectors.capacity() * sizeof(typename Vectors::value_type)));
}

}  // namespace

void Ast::Shrink() {
  nodes.shrink_to_fit();
  children.shrink_to_fit();
  entries.shrink_to_fit();
  comprehensions.shrink_to_fit();
  literals.shrink_to_fit();
  overloads.shrink_to_fit();
}

std::size_t Ast::bytes() const {
  return sizeof(Ast) + arena.bytes_held() + (source == nullptr ? 0 : source->capacity()) +
         (pool == nullptr ? 0 : pool->bytes()) +
         BytesOf(nodes, children, entries, comprehensions, literals, types, references, overloads);
}

}  // namespace plimsoll::cel
