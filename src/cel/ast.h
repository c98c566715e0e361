#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"
#include "cel/value.h"

namespace plimsoll::cel {

struct Overload;

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

enum class NodeKind : std::uint8_t {
  Fault,    // stands where something could not be parsed; never in an Ast without errors
  Literal,  // a scalar constant
  Ident,
  Select,  // a.name, or has(a.name) when is_test
  Call,    // operators as well, under upstream's names: `_&&_`, `_[_]`, `@in`
  List,
  Map,
  Struct,
  Comprehension,
};

/// One node of an expression. What the fields mean depends on the kind:
///
/// | kind          | name      | operand                | first, count                         |
/// |---------------|-----------|------------------------|--------------------------------------|
/// | Literal       |           | place in Ast::literals |                                      |
/// | Ident         | the name  |                        |                                      |
/// | Select        | the field | of what                |                                      |
/// | Call          | function  | target, or kNoNode     | arguments in Ast::children           |
/// | List          |           |                        | elements in Ast::children            |
/// | Map, Struct   | type name |                        | entries in Ast::entries              |
/// | Comprehension |           | place in               |                                      |
/// |               |           | Ast::comprehensions    |                                      |
struct Node {
  NodeKind kind = NodeKind::Fault;
  bool is_test = false;      // of a Select: has()
  bool is_optional = false;  // stands as `?e` in its list, or as the value of `?k: e`
  std::uint32_t offset = 0;  // where messages point at, in code points; kNoOffset for nowhere
  std::string_view name;
  NodeId operand = kNoNode;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
inline constexpr std::uint32_t kNoOffset = UINT32_MAX;

/// An entry of a map or struct literal.
struct Entry {
  NodeId key = kNoNode;  // of a map
  NodeId value = kNoNode;
  std::string_view field;  // of a struct
  std::uint32_t offset = 0;
};

/// What a macro becomes:
///   accu = init; for (iter in range) { if (!condition) break; accu = step; } result
/// With a second iteration variable the first is the index or key, the second the value.
struct Comprehension {
  std::string_view iter;
  std::string_view iter2;  // empty: one variable
  NodeId range = kNoNode;
  std::string_view accu;
  NodeId init = kNoNode;
  NodeId condition = kNoNode;
  NodeId step = kNoNode;
  NodeId result = kNoNode;
};
/// The hidden accumulator of the standard macros. No source text can name it.
inline constexpr std::string_view kAccumulator = "@result";

/// What the checker found behind the name of a node.
struct Reference {
  enum class Kind : std::uint8_t {
    None,
    Variable,  // declared by the environment: `index` is its place there
    Local,     // of a comprehension; the innermost of that name
    TypeName,  // `int`, `net.IP`: `type` is the type that the name stands for
    Missing,   // nothing, in an expression that was not checked: reading it is an error
    Overloads  // of a call: `count` candidates from Ast::overloads at `index`
  };
  Kind kind = Kind::None;
  std::uint32_t index = 0;
  std::uint32_t count = 0;
  const Type* type = nullptr;
};

/// An expression, parsed and, when `types` is filled, checked or at least resolved. Nodes refer to
/// each other by number; children come in no promised order. Immutable once compiled and safe to
/// share.
class Ast {
 public:
  std::vector<Node> nodes;
  std::vector<NodeId> children;
  std::vector<Entry> entries;
  std::vector<Comprehension> comprehensions;
  std::vector<Value> literals;
  NodeId root = kNoNode;

  // By node, once checked.
  std::vector<const Type*> types;
  std::vector<Reference> references;
  std::vector<const Overload*> overloads;

  const Node& node(NodeId id) const { return nodes[id]; }
  std::span<const NodeId> arguments(const Node& node) const {
    return std::span(children).subspan(node.first, node.count);
  }
  std::span<const Entry> entries_of(const Node& node) const {
    return std::span(entries).subspan(node.first, node.count);
  }
  const Comprehension& comprehension(const Node& node) const {
    return comprehensions[node.operand];
  }
  const Value& literal(const Node& node) const { return literals[node.operand]; }
  /// The candidates of a call that fit its arguments; one where types are known.
  std::span<const Overload* const> overloads_of(NodeId call) const {
    const Reference& found = references[call];
    return std::span(overloads).subspan(found.index, found.count);
  }

  /// Gives back what growing left over. Called once, when all is there.
  void Shrink();
  /// About how much memory it holds.
  std::size_t bytes() const;

  // The memory behind the names, texts and types above.
  Arena arena{512};
  std::shared_ptr<const std::string> source;
  std::unique_ptr<TypePool> pool;
};

/// Calls `visit` with the children of a node: target before arguments, keys before values, the
/// parts of a comprehension in the order of their evaluation.
template <class Visit>
void ForEachChild(const Ast& ast, NodeId id, Visit visit) {
  const Node& node = ast.nodes[id];
  switch (node.kind) {
    case NodeKind::Select:
      visit(node.operand);
      break;
    case NodeKind::Call:
      if (node.operand != kNoNode) visit(node.operand);
      [[fallthrough]];
    case NodeKind::List:
      for (const NodeId child : ast.arguments(node)) visit(child);
      break;
    case NodeKind::Map:
    case NodeKind::Struct:
      for (const Entry& entry : ast.entries_of(node)) {
        if (entry.key != kNoNode) visit(entry.key);
        visit(entry.value);
      }
      break;
    case NodeKind::Comprehension: {
      const Comprehension& fold = ast.comprehension(node);
      for (const NodeId part : {fold.range, fold.init, fold.condition, fold.step, fold.result}) {
        visit(part);
      }
      break;
    }
    case NodeKind::Fault:
    case NodeKind::Literal:
    case NodeKind::Ident:
      break;
  }
}

}  // namespace plimsoll::cel
