#include "cel/check/checker.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cel/check/names.h"
#include "cel/check/solver.h"
#include "cel/check/well_known.h"
#include "cel/environment.h"
#include "cel/syntax/issue_list.h"

namespace plimsoll::cel {
namespace {

class Checker {
 public:
  Checker(const Environment& environment, Ast& ast, IssueList& issues)
      : environment_(environment), ast_(ast), issues_(issues), solver_(*ast.pool) {
    ast_.types.assign(ast_.nodes.size(), nullptr);
    ast_.references.assign(ast_.nodes.size(), {});
  }

  void Run() {
    CheckNode(ast_.root);
    for (const Type*& type : ast_.types) {
      type = type == nullptr ? types::kDyn : solver_.SubstituteAll(type);
    }
  }

 private:
  struct Local {
    std::string_view name;
    const Type* type;
  };
  struct Found {
    const Type* type;
    Reference reference;
  };

  void ReportAt(std::uint32_t offset, std::string message) {
    issues_.Report(offset, std::move(message));
  }
  void Report(NodeId at, std::string message) {
    issues_.Report(ast_.nodes[at].offset, std::move(message));
  }
  void Mismatch(NodeId at, const Type* want, const Type* got) {
    Report(at, "expected type '" + MessageText(want) + "' but found '" + MessageText(got) + "'");
  }
  void Undeclared(NodeId at, std::string_view name) {
    Report(at, "undeclared reference to '" + std::string(name) + "' (in container '" +
                   std::string(environment_.options().container) + "')");
    Set(at, types::kError);
  }

  void Set(NodeId node, const Type* type) { ast_.types[node] = type; }
  const Type* TypeOf(NodeId node) const { return ast_.types[node]; }

  void CheckNode(NodeId id);
  void CheckLiteral(NodeId id);
  void CheckIdent(NodeId id);
  void CheckSelect(NodeId id);
  void CheckOptionalSelect(NodeId id);
  const Type* CheckField(NodeId id, NodeId operand, std::string_view field, bool is_optional);
  const Type* FieldType(std::uint32_t offset, std::string_view object, std::string_view field);
  void CheckCall(NodeId id);
  void Resolve(NodeId id, const FunctionSet& function, NodeId target);
  bool ResolveLogical(NodeId id, const FunctionSet& function);
  void CheckList(NodeId id);
  void CheckMap(NodeId id);
  void CheckStruct(NodeId id);
  void CheckComprehension(NodeId id);

  const Type* Join(const Type* before, const Type* now);
  const Type* Unwrapped(NodeId node);
  bool IsLocal(std::string_view name) const {
    return std::ranges::find(locals_, name, &Local::name) != locals_.end();
  }
  std::optional<Found> FindIdent(std::string_view name) const;
  std::optional<Found> FindGlobal(std::string_view name) const;
  const FunctionSet* FindFunction(std::string_view name) const;
  template <class Find>
  auto InContainer(std::string_view name, Find find) const {
    return FindInContainer(environment_.options().container, name, find);
  }

  const Environment& environment_;
  Ast& ast_;
  IssueList& issues_;
  TypeSolver solver_;
  TypeSolver::Instance instance_;
  std::vector<Local> locals_;
  std::vector<const Type*> argument_types_;
  std::string qualified_;
};

void Checker::CheckNode(NodeId id) {
  switch (ast_.nodes[id].kind) {
    case NodeKind::Literal:
      return CheckLiteral(id);
    case NodeKind::Ident:
      return CheckIdent(id);
    case NodeKind::Select:
      return CheckSelect(id);
    case NodeKind::Call:
      return CheckCall(id);
    case NodeKind::List:
      return CheckList(id);
    case NodeKind::Map:
      return CheckMap(id);
    case NodeKind::Struct:
      return CheckStruct(id);
    case NodeKind::Comprehension:
      return CheckComprehension(id);
    case NodeKind::Fault:
      return Set(id, types::kError);
  }
}

void Checker::CheckLiteral(NodeId id) {
  switch (ast_.literal(ast_.nodes[id]).kind()) {
    case ValueKind::Bool:
      return Set(id, types::kBool);
    case ValueKind::Int:
      return Set(id, types::kInt);
    case ValueKind::Uint:
      return Set(id, types::kUint);
    case ValueKind::Double:
      return Set(id, types::kDouble);
    case ValueKind::String:
      return Set(id, types::kString);
    case ValueKind::Bytes:
      return Set(id, types::kBytes);
    default:
      return Set(id, types::kNull);
  }
}

std::optional<Checker::Found> Checker::FindGlobal(std::string_view name) const {
  return InContainer(name, [this](std::string_view candidate) -> std::optional<Found> {
    if (const auto* variable = environment_.FindVariable(candidate); variable != nullptr) {
      return Found{variable->type, {.kind = Reference::Kind::Variable, .index = variable->index}};
    }
    if (const Type* type = environment_.FindTypeName(candidate); type != nullptr) {
      return Found{ast_.pool->TypeOf(type), {.kind = Reference::Kind::TypeName, .type = type}};
    }
    return std::nullopt;
  });
}

std::optional<Checker::Found> Checker::FindIdent(std::string_view name) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local) {
    if (local->name == name) return Found{local->type, {.kind = Reference::Kind::Local}};
  }
  return FindGlobal(name);
}

const FunctionSet* Checker::FindFunction(std::string_view name) const {
  return InContainer(
      name, [this](std::string_view candidate) { return environment_.FindFunction(candidate); });
}

void Checker::CheckIdent(NodeId id) {
  const std::string_view name = ast_.nodes[id].name;
  const auto found = FindIdent(name);
  if (!found) return Undeclared(id, name);
  Set(id, found->type);
  ast_.references[id] = found->reference;
}

void Checker::CheckSelect(NodeId id) {
  // The whole chain may be the qualified name of a variable or type, unless its
  // first name is a local variable.
  if (QualifiedName(ast_, id, qualified_) && !IsLocal(qualified_.substr(0, qualified_.find('.')))) {
    if (const auto found = FindGlobal(qualified_)) {
      Node& node = ast_.nodes[id];
      node.kind = NodeKind::Ident;
      node.name = ast_.arena.Copy(qualified_);
      node.operand = kNoNode;
      Set(id, found->type);
      ast_.references[id] = found->reference;
      return;
    }
  }
  const Node node = ast_.nodes[id];
  const Type* const type = CheckField(id, node.operand, node.name, false);
  Set(id, node.is_test ? types::kBool : solver_.Substitute(type));
}

void Checker::CheckOptionalSelect(NodeId id) {
  const auto arguments = ast_.arguments(ast_.nodes[id]);
  const NodeId operand = arguments[0];
  const NodeId field = arguments[1];
  Set(field, types::kString);
  const Type* const type = CheckField(id, operand, ast_.literal(ast_.nodes[field]).text(), true);
  Set(id, solver_.Substitute(type));
  const FunctionSet* const function = environment_.FindFunction("_?._");
  if (function == nullptr) return Undeclared(id, "_?._");
  ast_.references[id] = {.kind = Reference::Kind::Overloads,
                         .index = static_cast<std::uint32_t>(ast_.overloads.size()),
                         .count = 1};
  ast_.overloads.push_back(function->overloads.front());
}

const Type* Checker::CheckField(NodeId id, NodeId operand, std::string_view field,
                                bool is_optional) {
  CheckNode(operand);
  const Type* target = solver_.Substitute(TypeOf(operand));
  if (target->is_optional()) {
    is_optional = true;
    target = target->parameter(0);
  }
  const Type* result = types::kDyn;
  if (target->is(TypeKind::Map)) {
    result = target->parameter(1);
  } else if (target->is(TypeKind::Object)) {
    result = FieldType(ast_.nodes[id].offset, target->name(), field);
  } else if (target->is(TypeKind::Param)) {
    // Bind the variable to dyn, so that it cannot become a type without fields later.
    solver_.IsAssignable(types::kDyn, target);
  } else if (!target->is_dyn() && !target->is(TypeKind::Error)) {
    Report(id, "type '" + MessageText(target) + "' does not support field selection");
  }
  return is_optional ? ast_.pool->Optional(result) : result;
}

const Type* Checker::FieldType(std::uint32_t offset, std::string_view object,
                               std::string_view field) {
  const Type* type = nullptr;
  if (const ObjectType* const declared = environment_.FindObject(object)) {
    type = environment_.FindField(*declared, field);
  } else if (const WellKnownType* const known = FindWellKnownType(object)) {
    const auto found = std::ranges::find(known->fields, field, &ObjectField::name);
    if (found != known->fields.end()) type = *ast_.pool->Parse(found->type);
  } else {
    ReportAt(offset, "unexpected failed resolution of '" + std::string(object) + "'");
    return types::kError;
  }
  if (type != nullptr) return type;
  ReportAt(offset, "undefined field '" + std::string(field) + "'");
  return types::kError;
}

void Checker::CheckCall(NodeId id) {
  if (ast_.nodes[id].name == "_?._") return CheckOptionalSelect(id);
  const Node node = ast_.nodes[id];
  for (std::uint32_t i = 0; i < node.count; ++i) CheckNode(ast_.children[node.first + i]);
  if (node.operand == kNoNode) {
    const FunctionSet* const function = FindFunction(node.name);
    if (function == nullptr) return Undeclared(id, node.name);
    ast_.nodes[id].name = function->name;
    return Resolve(id, *function, kNoNode);
  }
  // `a.b.c()` calls the function `a.b.c` if it exists, else `c` on the target `a.b`.
  if (QualifiedName(ast_, node.operand, qualified_)) {
    qualified_ += '.';
    qualified_ += node.name;
    if (const FunctionSet* const function = FindFunction(qualified_); function != nullptr) {
      ast_.nodes[id].name = function->name;
      ast_.nodes[id].operand = kNoNode;
      return Resolve(id, *function, kNoNode);
    }
  }
  CheckNode(node.operand);
  const FunctionSet* const function = FindFunction(node.name);
  if (function == nullptr) return Undeclared(id, node.name);
  Resolve(id, *function, node.operand);
}

/// Errors of `&&` and `||` name the operand that is no bool, instead of all types.
bool Checker::ResolveLogical(NodeId id, const FunctionSet& function) {
  bool is_right = true;
  for (const NodeId argument : ast_.arguments(ast_.nodes[id])) {
    if (solver_.IsAssignable(TypeOf(argument), types::kBool)) continue;
    Mismatch(argument, types::kBool, TypeOf(argument));
    is_right = false;
  }
  if (!is_right) return false;
  ast_.references[id] = {.kind = Reference::Kind::Overloads,
                         .index = static_cast<std::uint32_t>(ast_.overloads.size()),
                         .count = 1};
  ast_.overloads.push_back(function.overloads.front());
  Set(id, types::kBool);
  return true;
}

void Checker::Resolve(NodeId id, const FunctionSet& function, NodeId target) {
  if (function.name == "_&&_" || function.name == "_||_") {
    if (!ResolveLogical(id, function)) Set(id, types::kError);
    return;
  }
  argument_types_.clear();
  if (target != kNoNode) argument_types_.push_back(TypeOf(target));
  for (const NodeId one : ast_.arguments(ast_.nodes[id])) argument_types_.push_back(TypeOf(one));

  Reference reference{.kind = Reference::Kind::Overloads,
                      .index = static_cast<std::uint32_t>(ast_.overloads.size())};
  const Type* result = nullptr;
  for (const Overload* overload : function.overloads) {
    if (overload->is_member() != (target != kNoNode)) continue;
    if (overload->parameters.size() != argument_types_.size()) {
      solver_.SkipInstance(*overload);
      continue;
    }
    const Type* this_result = overload->result;
    if (overload->type_params.empty()) {
      if (!solver_.AreAssignable(argument_types_, overload->parameters)) continue;
    } else {
      solver_.Instantiate(*overload, instance_);
      if (!solver_.AreAssignable(argument_types_, instance_.parameters)) continue;
      this_result = solver_.Substitute(instance_.result);
    }
    ast_.overloads.push_back(overload);
    ++reference.count;
    if (result == nullptr) {
      result = this_result;
    } else if (!result->is(TypeKind::Dyn) && result != this_result) {
      result = types::kDyn;
    }
  }
  if (result == nullptr) {
    for (const Type*& one : argument_types_) one = solver_.SubstituteAll(one);
    Report(id, "found no matching overload for '" + std::string(function.name) + "' applied to '" +
                   SignatureText(argument_types_, target != kNoNode) + "'");
    return Set(id, types::kError);
  }
  Set(id, result);
  ast_.references[id] = reference;
}

/// Returns the type inside the optional that `?e` must be.
const Type* Checker::Unwrapped(NodeId node) {
  const Type* const type = TypeOf(node);
  if (!ast_.nodes[node].is_optional) return type;
  if (type->is_optional()) return type->parameter(0);
  if (!type->is(TypeKind::Dyn)) Mismatch(node, ast_.pool->Optional(type), type);
  return type;
}

/// Elements of different types give a list of dyn; a validator rejects that if so configured.
const Type* Checker::Join(const Type* before, const Type* now) {
  if (before == nullptr) return now;
  if (solver_.IsAssignable(before, now)) return TypeSolver::MostGeneral(before, now);
  return types::kDyn;
}

void Checker::CheckList(NodeId id) {
  const Node node = ast_.nodes[id];
  const Type* joined = nullptr;
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const NodeId element = ast_.children[node.first + i];
    CheckNode(element);
    joined = Join(joined, Unwrapped(element));
  }
  Set(id, ast_.pool->List(joined == nullptr ? solver_.NewVariable() : joined));
}

void Checker::CheckMap(NodeId id) {
  const Node node = ast_.nodes[id];
  const Type* keys = nullptr;
  const Type* values = nullptr;
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const Entry entry = ast_.entries[node.first + i];
    CheckNode(entry.key);
    keys = Join(keys, TypeOf(entry.key));
    CheckNode(entry.value);
    values = Join(values, Unwrapped(entry.value));
  }
  if (keys == nullptr) {
    keys = solver_.NewVariable();
    values = solver_.NewVariable();
  }
  Set(id, ast_.pool->Map(keys, values));
}

void Checker::CheckStruct(NodeId id) {
  const Node node = ast_.nodes[id];
  const auto found = FindIdent(node.name);
  if (!found) return Undeclared(id, node.name);
  const Type* object = types::kError;
  const Type* const named = found->type->is(TypeKind::Type) ? found->type->parameter(0) : nullptr;
  const WellKnownType* const known = InContainer(
      node.name, [](std::string_view candidate) { return FindWellKnownType(candidate); });
  if (named == nullptr) {
    Report(id, "'" + std::string(found->type->name()) + "' is not a type");
  } else if (!named->is(TypeKind::Object) && known == nullptr) {
    Report(id, "'" + std::string(named->name()) + "' is not a message type");
  } else {
    object = named;
    ast_.nodes[id].name = known == nullptr ? named->name() : known->name;
  }
  ast_.references[id] = found->reference;
  Set(id, object);
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const Entry entry = ast_.entries[node.first + i];
    CheckNode(entry.value);
    const Type* const want = object->is(TypeKind::Error)
                                 ? object
                                 : FieldType(entry.offset, ast_.nodes[id].name, entry.field);
    const Type* const got = Unwrapped(entry.value);
    if (solver_.IsAssignable(want, got)) continue;
    ReportAt(entry.offset, "expected type of field '" + std::string(entry.field) + "' is '" +
                               MessageText(want) + "' but provided type is '" + MessageText(got) +
                               "'");
  }
}

void Checker::CheckComprehension(NodeId id) {
  const Comprehension fold = ast_.comprehension(ast_.nodes[id]);
  CheckNode(fold.range);
  CheckNode(fold.init);
  const Type* const range = solver_.Substitute(TypeOf(fold.range));
  const Type* const accu = TypeOf(fold.init);
  const Type* first = types::kDyn;
  const Type* second = types::kDyn;
  if (range->is(TypeKind::List)) {
    first = fold.iter2.empty() ? range->parameter(0) : types::kInt;
    second = range->parameter(0);
  } else if (range->is(TypeKind::Map)) {
    first = range->parameter(0);
    second = range->parameter(1);
  } else if (range->is(TypeKind::Dyn) || range->is(TypeKind::Error) || range->is(TypeKind::Param)) {
    solver_.IsAssignable(types::kDyn, range);
  } else {
    Report(fold.range, "expression of type '" + MessageText(range) +
                           "' cannot be range of a comprehension (must be list, map, or dynamic)");
    first = second = types::kError;
  }
  const std::size_t outside = locals_.size();
  locals_.push_back({fold.accu, accu});
  locals_.push_back({fold.iter, first});
  if (!fold.iter2.empty()) locals_.push_back({fold.iter2, second});
  CheckNode(fold.condition);
  if (!solver_.IsAssignable(types::kBool, TypeOf(fold.condition))) {
    Mismatch(fold.condition, types::kBool, TypeOf(fold.condition));
  }
  CheckNode(fold.step);
  if (!solver_.IsAssignable(accu, TypeOf(fold.step))) {
    Mismatch(fold.step, accu, TypeOf(fold.step));
  }
  locals_.resize(outside + 1);
  CheckNode(fold.result);
  locals_.resize(outside);
  Set(id, solver_.Substitute(TypeOf(fold.result)));
}

}  // namespace

void Check(const Environment& environment, Ast& ast, IssueList& issues) {
  Checker(environment, ast, issues).Run();
}

}  // namespace plimsoll::cel
