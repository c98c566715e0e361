#include "cel/plan/folding.h"

#include <algorithm>

#include "cel/eval/access.h"
#include "cel/eval/signature.h"
#include "cel/library.h"
#include "cel/number.h"

namespace plimsoll::cel {
namespace {

class Folder {
 public:
  Folder(const Ast& ast, Evaluation& memory) : ast_(ast), memory_(memory) {
    folding_.constants.resize(ast.nodes.size());
    folding_.prepared.resize(ast.nodes.size());
    folding_.sets.resize(ast.nodes.size());
  }

  /// Visits children first, in upstream's order, which decides which error is reported.
  bool Visit(NodeId id) {
    if (id == kNoNode) return true;
    const Node& node = ast_.node(id);
    switch (node.kind) {
      case NodeKind::Fault:
        return Fail("the expression was not parsed");
      case NodeKind::Literal:
        Set(id, ast_.literal(node));
        return true;
      case NodeKind::Ident:
        return VisitName(id);
      case NodeKind::Select:
        if (ast_.references[id].kind != Reference::Kind::None) return VisitName(id);
        return Visit(node.operand);
      case NodeKind::Call:
        return VisitCall(id);
      case NodeKind::List:
        return VisitList(id);
      case NodeKind::Map:
        return VisitMap(id);
      case NodeKind::Struct:
        if (ast_.references[id].kind == Reference::Kind::None) {
          return Fail("unknown type: " + std::string(node.name));
        }
        return std::ranges::all_of(ast_.entries_of(node),
                                   [&](const Entry& entry) { return Visit(entry.value); });
      case NodeKind::Comprehension: {
        const Comprehension& loop = ast_.comprehension(node);
        return Visit(loop.init) && Visit(loop.range) && Visit(loop.condition) && Visit(loop.step) &&
               Visit(loop.result);
      }
    }
    return true;
  }

  Folding folding_;
  std::string error_;

 private:
  bool Fail(std::string message) {
    error_ = std::move(message);
    return false;
  }

  void Set(NodeId id, const Value& value) {
    folding_.constants[id] = new (memory_.arena().Allocate<Value>(1)) Value(value);
  }

  bool IsConstant(NodeId id) const { return folding_.constants[id] != nullptr; }

  /// Returns `a.b.c` as it was written.
  std::string NameText(NodeId id) const {
    const Node& node = ast_.node(id);
    if (node.kind == NodeKind::Ident) return std::string(node.name);
    return NameText(node.operand) + "." + std::string(node.name);
  }

  bool VisitName(NodeId id) {
    const Reference& found = ast_.references[id];
    if (found.kind != Reference::Kind::TypeName) {
      // Upstream treats every name of type `type` as a type name, including variables.
      if (ast_.types[id]->is(TypeKind::Type)) return FailUndefined(id);
      return true;
    }
    // The checker accepts names that have no value: structures, `timestamp`, `duration`.
    const bool has_value = !found.type->is(TypeKind::Object) && !found.type->is_dyn() &&
                           NameText(id) == found.type->name();
    if (!has_value) return FailUndefined(id);
    Set(id, Value::OfType(found.type));
    return true;
  }

  bool FailUndefined(NodeId id) { return Fail("reference to undefined type: " + NameText(id)); }

  bool VisitList(NodeId id) {
    const std::span<const NodeId> elements = ast_.arguments(ast_.node(id));
    if (!std::ranges::all_of(elements, [&](NodeId element) { return Visit(element); })) {
      return false;
    }
    const auto is_plain = [&](NodeId element) {
      return IsConstant(element) && !ast_.node(element).is_optional;
    };
    if (!std::ranges::all_of(elements, is_plain)) return true;
    Value* const made = memory_.arena().Allocate<Value>(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      new (made + i) Value(*folding_.constants[elements[i]]);
    }
    Set(id, Value::List({made, elements.size()}));
    return true;
  }

  bool VisitMap(NodeId id) {
    const std::span<const Entry> entries = ast_.entries_of(ast_.node(id));
    for (const Entry& entry : entries) {
      if (!Visit(entry.key) || !Visit(entry.value)) return false;
    }
    const auto is_plain = [&](const Entry& entry) {
      return IsConstant(entry.key) && IsConstant(entry.value) &&
             !ast_.node(entry.value).is_optional;
    };
    if (!std::ranges::all_of(entries, is_plain)) return true;
    auto* const made = memory_.arena().Allocate<MapValue::Entry>(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      made[i] = {*folding_.constants[entries[i].key], *folding_.constants[entries[i].value]};
      // Upstream's planner panics here.
      if (made[i].key.is(ValueKind::Bytes)) return Fail("unsupported key type: bytes");
    }
    Set(id, Value::Map(MapValue::Collect({made, entries.size()}, memory_.arena())));
    return true;
  }

  bool VisitCall(NodeId id) {
    const Node& node = ast_.node(id);
    if (!Visit(node.operand)) return false;
    for (const NodeId argument : ast_.arguments(node)) {
      if (!Visit(argument)) return false;
    }
    const bool is_index = node.name == "_[_]" || node.name == "_[?_]";
    if (is_index && !CheckKey(ast_.arguments(node)[1])) return false;
    const std::span<const Overload* const> candidates = ast_.overloads_of(id);
    if (candidates.size() == 1 && candidates[0]->id() == "in_list") FoldMembership(id);
    const bool folds = !candidates.empty() && candidates[0]->function->folds;
    if (folds && !FoldConversion(id)) return false;
    return PrepareCall(id);
  }

  bool CheckKey(NodeId id) {
    const Value* const key = folding_.constants[id];
    if (key == nullptr || CanBeKey(key->kind())) return true;
    return Fail("invalid qualifier type: " + GoTypeName(*key));
  }

  bool FoldConversion(NodeId id) {
    const std::vector<NodeId> arguments = CallArguments(ast_, id);
    if (arguments.size() != 1 || !IsConstant(arguments[0])) return true;
    const std::span<const Value> values(folding_.constants[arguments[0]], 1);
    for (const Overload* const overload : ast_.overloads_of(id)) {
      if (!overload->function->unguarded && !Fits(*overload, values)) continue;
      const Value result = overload->function->implementation(memory_, values.data());
      if (result.is_error()) return Fail(result.error().Text());
      Set(id, result);
      return true;
    }
    return Fail(NoSuchSignature(memory_, ast_.node(id).name, values).error().Text());
  }

  /// Adds an element and the equal numbers of other kinds. Returns false if it cannot be in a set.
  static bool AddSetKeys(const Value& element, std::vector<Value>& keys) {
    keys.push_back(element);
    switch (element.kind()) {
      case ValueKind::Bool:
      case ValueKind::String:
        return true;
      case ValueKind::Int:
        // Conversions round, as upstream's do.
        keys.push_back(Value::Double(static_cast<double>(element.as_int())));
        return true;
      case ValueKind::Uint:
        keys.push_back(Value::Double(static_cast<double>(element.as_uint())));
        return true;
      case ValueKind::Double:
        if (const auto whole = ExactInt(element.as_double())) keys.push_back(Value::Int(*whole));
        if (const auto whole = ExactUint(element.as_double())) keys.push_back(Value::Uint(*whole));
        return true;
      default:
        return false;
    }
  }

  /// `x in []` is false without evaluating x. Hashable constants become a set; as upstream, it also
  /// contains the equal numbers of other kinds.
  void FoldMembership(NodeId id) {
    const Value* const list = folding_.constants[ast_.arguments(ast_.node(id))[1]];
    if (list == nullptr) return;
    if (list->elements().empty()) return Set(id, Value::Bool(false));
    std::vector<Value> keys;
    for (const Value& element : list->elements()) {
      if (!AddSetKeys(element, keys)) return;
    }
    auto* const entries = memory_.arena().Allocate<MapValue::Entry>(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) entries[i] = {keys[i], Value::Bool(true)};
    folding_.sets[id] = MapValue::Collect({entries, keys.size()}, memory_.arena());
  }

  bool PrepareCall(NodeId id) {
    if (IsConstant(id)) return true;
    for (const Overload* const overload : ast_.overloads_of(id)) {
      if (overload->function->prepare == nullptr) continue;
      std::vector<const Value*> constants;
      for (const NodeId argument : CallArguments(ast_, id)) {
        constants.push_back(folding_.constants[argument]);
      }
      auto prepared = overload->function->prepare(constants, memory_.arena());
      if (!prepared.has_value()) return Fail(std::move(prepared.error()));
      folding_.prepared[id] = *prepared;
      return true;
    }
    return true;
  }

  const Ast& ast_;
  Evaluation& memory_;
};

}  // namespace

std::vector<NodeId> CallArguments(const Ast& ast, NodeId call) {
  const Node& node = ast.node(call);
  const std::span<const NodeId> arguments = ast.arguments(node);
  const std::size_t targets = node.operand == kNoNode ? 0 : 1;
  std::vector<NodeId> all(targets + arguments.size(), node.operand);
  std::ranges::copy(arguments, all.begin() + static_cast<std::ptrdiff_t>(targets));
  return all;
}

std::expected<Folding, std::string> Fold(const Ast& ast, Evaluation& memory) {
  Folder folder(ast, memory);
  if (!folder.Visit(ast.root)) return std::unexpected(std::move(folder.error_));
  return std::move(folder.folding_);
}

}  // namespace plimsoll::cel
