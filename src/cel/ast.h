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
  Fault,    // placeholder for a parse error; never in an Ast without errors
  Literal,  // a scalar constant
  Ident,
  Select,  // a.name, or has(a.name) when is_test
  Call,    // also operators, under upstream's names: `_&&_`, `_[_]`, `@in`
  List,
  Map,
  Struct,
  Comprehension,
};

/// One node of an expression. The meaning of the fields depends on the kind:
///
/// | kind          | name      | operand                | first, count                         |
/// |---------------|-----------|------------------------|--------------------------------------|
/// | Literal       |           | index in Ast::literals |                                      |
/// | Ident         | the name  |                        |                                      |
/// | Select        | the field | the selected value     |                                      |
/// | Call          | function  | target, or kNoNode     | arguments in Ast::children           |
/// | List          |           |                        | elements in Ast::children            |
/// | Map, Struct   | type name |                        | entries in Ast::entries              |
/// | Comprehension |           | index in               |                                      |
/// |               |           | Ast::comprehensions    |                                      |
struct Node {
  NodeKind kind = NodeKind::Fault;
  bool is_test = false;      // for a Select: has()
  bool is_optional = false;  // written as `?e` in its list, or as the value of `?k: e`
  std::uint32_t offset = 0;  // position for messages, in code points; kNoOffset: none
  std::string_view name;
  NodeId operand = kNoNode;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
inline constexpr std::uint32_t kNoOffset = UINT32_MAX;

/// An entry of a map or struct literal.
struct Entry {
  NodeId key = kNoNode;  // for a map
  NodeId value = kNoNode;
  std::string_view field;  // for a struct
  std::uint32_t offset = 0;
};

/// Expansion of a macro:
///   accu = init; for (iter in range) { if (!condition) break; accu = step; } result
/// With a second iteration variable, the first is the index or key, the second the value.
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
/// Hidden accumulator of the standard macros. Source text cannot name it.
inline constexpr std::string_view kAccumulator = "@result";

/// Meaning of a node's name, as resolved by the checker.
struct Reference {
  enum class Kind : std::uint8_t {
    None,
    Variable,  // declared by the environment; `index` is its index there
    Local,     // variable of a comprehension; the innermost of that name
    TypeName,  // `int`, `net.IP`: `type` is the named type
    Missing,   // unresolved, in an unchecked expression: reading it is an error
    Overloads  // for a call: `count` candidates in Ast::overloads from `index`
  };
  Kind kind = Kind::None;
  std::uint32_t index = 0;
  std::uint32_t count = 0;
  const Type* type = nullptr;
};

/// A parsed expression; if `types` is filled, it is checked or at least resolved.
/// Nodes refer to each other by index, in no particular order. Immutable once
/// compiled and safe to share.
class Ast {
 public:
  std::vector<Node> nodes;
  std::vector<NodeId> children;
  std::vector<Entry> entries;
  std::vector<Comprehension> comprehensions;
  std::vector<Value> literals;
  NodeId root = kNoNode;

  // Indexed by node, once checked.
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
  /// Returns the candidates of a call that fit its arguments; one if the types are known.
  std::span<const Overload* const> overloads_of(NodeId call) const {
    const Reference& found = references[call];
    return std::span(overloads).subspan(found.index, found.count);
  }

  /// Frees spare capacity. Called once, when the Ast is complete.
  void Shrink();
  /// Returns the approximate memory size.
  std::size_t bytes() const;

  // Owners of the names, texts and types above.
  Arena arena{512};
  std::shared_ptr<const std::string> source;
  std::unique_ptr<TypePool> pool;
};

/// Calls `visit` for each child of a node: target before arguments, keys before values, parts of a
/// comprehension in evaluation order.
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
