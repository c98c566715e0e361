#include <algorithm>

#include "cel/eval/steps.h"
#include "cel/plan/emitter.h"

namespace plimsoll::cel {
namespace {

/// Returns true if a value of this static type can be an optional.
bool MayBeOptional(const Type* type) {
  switch (type->kind()) {
    case TypeKind::Dyn:
    case TypeKind::Any:
    case TypeKind::Param:
    case TypeKind::Error:
      return true;
    default:
      return type->is_optional();
  }
}

}  // namespace

bool Emitter::IsName(NodeId id) const {
  const Reference::Kind kind = ast_.references[id].kind;
  return kind == Reference::Kind::Variable || kind == Reference::Kind::Local ||
         kind == Reference::Kind::Missing;
}

bool Emitter::IsChain(NodeId id) const {
  const Node& node = ast_.node(id);
  return node.kind == NodeKind::Ident || node.kind == NodeKind::Select || Is(id, "_[_]") ||
         Is(id, "_?._") || Is(id, "_[?_]") || Is(id, "_?_:_");
}

Emitter::Chain Emitter::ChainOf(NodeId id) const {
  Chain chain;
  NodeId at = id;
  while (folding_.constant(at) == nullptr && !IsName(at) && IsChain(at) && !Is(at, "_?_:_")) {
    const Node& node = ast_.node(at);
    Qualifier qualifier{.node = at};
    if (node.kind == NodeKind::Select) {
      qualifier.key = new (code_.memory.arena().Allocate<Value>(1)) Value(Value::String(node.name));
      qualifier.is_test = node.is_test;
      chain.is_test = chain.is_test || node.is_test;
      at = node.operand;
    } else {
      const std::span<const NodeId> arguments = ast_.arguments(node);
      qualifier.key = folding_.constant(arguments[1]);
      if (qualifier.key == nullptr) {
        qualifier.index = arguments[1];
        chain.has_index = true;
      }
      qualifier.is_optional = node.name != "_[_]";
      at = arguments[0];
    }
    chain.may_be_optional = chain.may_be_optional || qualifier.is_optional;
    chain.qualifiers.push_back(qualifier);
  }
  std::ranges::reverse(chain.qualifiers);
  chain.head = at;
  chain.may_be_optional = chain.may_be_optional || MayBeOptional(ast_.types[at]);
  return chain;
}

void Emitter::EmitName(NodeId id, Slot to, std::uint32_t cost) {
  const Reference& found = ast_.references[id];
  if (found.kind == Reference::Kind::Variable) {
    Add({.run = steps::Variable, .to = to, .a = found.index, .cost = cost});
    return;
  }
  if (found.kind == Reference::Kind::Missing) {
    const Value error =
        code_.memory.FailCopied("no such attribute(s): " + std::string(ast_.node(id).name));
    Add({.run = steps::Constant, .to = to, .a = AddConstant(error)});
    if (cost != 0) Add({.run = steps::Charge, .cost = cost});
    return;
  }
  const Local* const local = FindLocal(ast_.node(id).name);
  PL_ASSERT(local != nullptr);
  if (local->is_lazy) {
    const std::size_t force = Add({.run = steps::Force, .a = local->is_made, .b = local->back});
    code_.instructions[force].jump =
        static_cast<std::int32_t>(local->start) - static_cast<std::int32_t>(force);
  }
  Add({.run = steps::Local, .to = to, .a = local->slot, .cost = cost});
}

std::int64_t Emitter::FieldPlace(NodeId whole, std::string_view field) const {
  const Type* const type = ast_.types[whole];
  if (!type->is(TypeKind::Object)) return -1;
  const ObjectType* const object = environment_.FindObject(type->name());
  if (object == nullptr) return -1;
  const auto found = std::ranges::find(object->fields, field, &ObjectField::name);
  return found == object->fields.end() ? -1 : found - object->fields.begin();
}

// Upstream charges the first name of a chain after reading the whole chain. That is observable only
// if the limit is exceeded within the chain, and only an index can cost more than one. So chains
// without an index are charged at the start.
void Emitter::EmitChain(NodeId id, Slot to, bool is_charged) {
  const Chain chain = ChainOf(id);
  const bool is_conditional = folding_.constant(chain.head) == nullptr && Is(chain.head, "_?_:_");
  std::int64_t cost = is_charged && !is_conditional ? 1 : 0;
  if (is_charged && chain.is_test && environment_.options().has_is_free) --cost;
  const std::uint32_t late_cost = chain.has_index && cost > 0 ? 1 : 0;
  const std::uint32_t early_cost = !chain.has_index && cost > 0 ? 1 : 0;

  std::vector<std::size_t> exits;
  const bool is_read = EmitVariableField(chain, to, early_cost, exits);
  if (!is_read) {
    if (is_conditional) {
      EmitConditional(chain.head, to);
    } else if (folding_.constant(chain.head) == nullptr && IsName(chain.head)) {
      EmitName(chain.head, to, early_cost);
    } else {
      Emit(chain.head, to);
      if (early_cost != 0) Add({.run = steps::Charge, .cost = early_cost});
    }
  }
  if (!chain.qualifiers.empty() && chain.may_be_optional) {
    Reserve(to + 1);
    exits.push_back(Add({.run = steps::ChainBegin, .to = to, .b = to + 1}));
  } else if (!is_read && !chain.qualifiers.empty() && chain.qualifiers[0].index != kNoNode) {
    exits.push_back(Add({.run = steps::Bail, .to = to, .a = to}));
  }
  for (std::size_t i = is_read ? 1 : 0; i < chain.qualifiers.size(); ++i) {
    EmitQualifier(chain, chain.qualifiers[i], to, exits);
  }
  if (!chain.qualifiers.empty() && chain.may_be_optional) {
    Add({.run = steps::ChainEnd, .to = to, .b = to + 1});
  }
  Land(exits);
  if (chain.is_test && chain.may_be_optional && is_charged) {
    Add({.run = steps::TestEnd, .to = to});
  }
  if (late_cost != 0) Add({.run = steps::Charge, .cost = late_cost});
  if (cost < 0) Add({.run = steps::Refund});
}

/// Emits the most common prefix, a field of a variable, as one instruction.
bool Emitter::EmitVariableField(const Chain& chain, Slot to, std::uint32_t cost,
                                std::vector<std::size_t>& exits) {
  if (chain.qualifiers.empty() || chain.may_be_optional || chain.qualifiers[0].is_test) {
    return false;
  }
  const bool is_variable = folding_.constant(chain.head) == nullptr &&
                           ast_.references[chain.head].kind == Reference::Kind::Variable;
  const Value* const key = chain.qualifiers[0].key;
  if (!is_variable || key == nullptr || !key->is(ValueKind::String)) return false;
  const std::int64_t place = FieldPlace(chain.head, key->text());
  if (place < 0) return false;
  exits.push_back(Add({.run = steps::VariableField,
                       .to = to,
                       .a = ast_.references[chain.head].index,
                       .b = static_cast<std::uint32_t>(place),
                       .count = AddConstant(*key),
                       .cost = cost + 1}));
  return true;
}

void Emitter::EmitQualifier(const Chain& chain, const Qualifier& qualifier, Slot to,
                            std::vector<std::size_t>& exits) {
  const std::uint32_t is_optional = qualifier.is_optional ? 1 : 0;
  if (qualifier.index != kNoNode) {
    const Slot key = to + (chain.may_be_optional ? 2 : 1);
    EmitUncharged(qualifier.index, key);
    exits.push_back(
        chain.may_be_optional
            ? Add({.run = steps::ChainIndex, .to = to, .a = key, .b = to + 1, .count = is_optional})
            : Add({.run = steps::Index, .to = to, .a = key}));
    return;
  }
  const std::uint32_t key = AddConstant(*qualifier.key);
  if (chain.may_be_optional) {
    const Step run = qualifier.is_test ? steps::ChainTest : steps::ChainKey;
    exits.push_back(Add({.run = run, .to = to, .a = key, .b = to + 1, .count = is_optional}));
    return;
  }
  if (qualifier.is_test) {
    exits.push_back(Add({.run = steps::Test, .to = to, .a = key}));
    return;
  }
  const Node& node = ast_.node(qualifier.node);
  const std::int64_t place =
      node.kind == NodeKind::Select ? FieldPlace(node.operand, node.name) : -1;
  exits.push_back(
      place < 0
          ? Add({.run = steps::Key, .to = to, .a = key})
          : Add({.run = steps::Field, .to = to, .a = static_cast<std::uint32_t>(place), .b = key}));
}

}  // namespace plimsoll::cel
