#include "cel/check/resolver.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cel/check/names.h"
#include "cel/check/well_known.h"
#include "cel/environment.h"

namespace plimsoll::cel {
namespace {

class Resolver {
 public:
  Resolver(const Environment& environment, Ast& ast) : environment_(environment), ast_(ast) {
    ast_.types.assign(ast_.nodes.size(), types::kDyn);
    ast_.references.assign(ast_.nodes.size(), {});
  }

  void Visit(NodeId id) {
    switch (ast_.nodes[id].kind) {
      case NodeKind::Ident:
      case NodeKind::Select:
        return VisitName(id);
      case NodeKind::Call:
        return VisitCall(id);
      case NodeKind::Struct:
        VisitStruct(id);
        return VisitChildren(id);
      case NodeKind::Comprehension:
        return VisitComprehension(id);
      case NodeKind::Fault:
      case NodeKind::Literal:
      case NodeKind::List:
      case NodeKind::Map:
        return VisitChildren(id);
    }
  }

 private:
  template <class Find>
  auto InContainer(std::string_view name, Find find) const {
    return FindInContainer(environment_.options().container, name, find);
  }

  void VisitChildren(NodeId id) {
    ForEachChild(ast_, id, [this](NodeId child) { Visit(child); });
  }

  bool IsLocal(std::string_view name) const {
    return std::ranges::find(locals_, name) != locals_.end();
  }

  /// Resolves `a.b.c` to the longest prefix that is a variable, or to a type of the full name. The
  /// rest of the names are fields.
  void VisitName(NodeId id) {
    std::string name;
    if (!QualifiedName(ast_, id, name)) return VisitChildren(id);
    NodeId head = id;
    while (ast_.nodes[head].kind == NodeKind::Select) head = ast_.nodes[head].operand;
    if (IsLocal(ast_.nodes[head].name)) {
      ast_.references[head] = {.kind = Reference::Kind::Local};
      return;
    }
    Reference found = FindName(name, true);
    NodeId at = id;
    while (found.kind == Reference::Kind::Missing && at != head) {
      name.resize(name.size() - 1 - ast_.nodes[at].name.size());
      at = ast_.nodes[at].operand;
      found = FindName(name, false);
    }
    const bool is_missing = found.kind == Reference::Kind::Missing;
    if (is_missing) QualifiedName(ast_, id, name);
    Rename(is_missing ? id : at, is_missing ? Candidates(name) : name, found);
  }

  void Rename(NodeId id, std::string_view name, const Reference& reference) {
    Node& node = ast_.nodes[id];
    node.kind = NodeKind::Ident;
    node.name = reference.kind == Reference::Kind::TypeName ? reference.type->name()
                                                            : ast_.arena.Copy(name);
    node.operand = kNoNode;
    ast_.references[id] = reference;
  }

  Reference FindName(std::string_view name, bool may_be_type) const {
    const auto found = InContainer(name, [&](std::string_view candidate) {
      Reference reference{.kind = Reference::Kind::Missing};
      const Type* const type = environment_.FindTypeName(candidate);
      if (const auto* const variable = environment_.FindVariable(candidate); variable != nullptr) {
        reference = {.kind = Reference::Kind::Variable, .index = variable->index};
      } else if (may_be_type && type != nullptr && type->name() == candidate &&
                 !type->is(TypeKind::Object) && !type->is_dyn()) {
        reference = {.kind = Reference::Kind::TypeName, .type = type};
      }
      return reference.kind == Reference::Kind::Missing ? std::nullopt : std::optional(reference);
    });
    return found.value_or(Reference{.kind = Reference::Kind::Missing});
  }

  /// Returns all candidates for a name, for the error message.
  std::string Candidates(std::string_view name) const {
    std::string all;
    InContainer(name, [&](std::string_view candidate) {
      if (!all.empty()) all += ", ";
      all += candidate;
      return false;
    });
    return all;
  }

  void VisitCall(NodeId id) {
    const Node node = ast_.nodes[id];
    const FunctionSet* function = nullptr;
    if (std::string name; node.operand == kNoNode) {
      function = FindFunction(node.name);
    } else if (QualifiedName(ast_, node.operand, name)) {
      function = FindFunction(name + "." + std::string(node.name));
      if (function != nullptr) ast_.nodes[id].operand = kNoNode;
    }
    if (function != nullptr) ast_.nodes[id].name = function->name;
    ast_.references[id] = {.kind = Reference::Kind::Overloads};
    VisitChildren(id);
  }

  const FunctionSet* FindFunction(std::string_view name) const {
    return InContainer(
        name, [this](std::string_view candidate) { return environment_.FindFunction(candidate); });
  }

  /// The planner rejects a literal of an unknown type.
  void VisitStruct(NodeId id) {
    Node& node = ast_.nodes[id];
    const bool is_known = InContainer(node.name, [&](std::string_view candidate) {
      const WellKnownType* const known = FindWellKnownType(candidate);
      const ObjectType* const object = environment_.FindObject(candidate);
      if (known == nullptr && object == nullptr) return false;
      node.name = known != nullptr ? known->name : object->name;
      return true;
    });
    if (is_known) ast_.references[id] = {.kind = Reference::Kind::TypeName, .type = types::kDyn};
  }

  void VisitComprehension(NodeId id) {
    const Comprehension fold = ast_.comprehension(ast_.nodes[id]);
    Visit(fold.range);
    Visit(fold.init);
    const std::size_t outside = locals_.size();
    locals_.push_back(fold.accu);
    locals_.push_back(fold.iter);
    if (!fold.iter2.empty()) locals_.push_back(fold.iter2);
    Visit(fold.condition);
    Visit(fold.step);
    locals_.resize(outside + 1);
    Visit(fold.result);
    locals_.resize(outside);
  }

  const Environment& environment_;
  Ast& ast_;
  std::vector<std::string_view> locals_;
};

}  // namespace

void Resolve(const Environment& environment, Ast& ast) {
  Resolver(environment, ast).Visit(ast.root);
}

}  // namespace plimsoll::cel
