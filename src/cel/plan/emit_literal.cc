#include <algorithm>

#include "cel/check/well_known.h"
#include "cel/eval/steps.h"
#include "cel/plan/emitter.h"

namespace plimsoll::cel {

/// Emits one part of a literal. The first error ends the literal: execution continues at the
/// exits, with the error in `to`.
void Emitter::EmitPart(NodeId id, Slot to, Slot part, std::vector<std::size_t>& exits) {
  Emit(id, part);
  if (!CanFail(id)) return;
  exits.push_back(Add({.run = steps::Bail, .to = to, .a = part}));
}

void Emitter::EmitList(NodeId id, Slot to) {
  const std::span<const NodeId> elements = ast_.arguments(ast_.node(id));
  std::vector<std::size_t> exits;
  std::vector<bool> optionals;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Slot part = to + static_cast<Slot>(i);
    EmitPart(elements[i], to, part, exits);
    optionals.push_back(ast_.node(elements[i]).is_optional);
    if (!optionals.back()) continue;
    exits.push_back(Add({.run = steps::RequireElement, .to = to, .a = part}));
  }
  Land(exits);
  const bool has_optionals = std::ranges::find(optionals, true) != optionals.end();
  if (has_optionals) code_.optionals.push_back(std::move(optionals));
  Add({.run = steps::List,
       .to = to,
       .b = has_optionals ? static_cast<std::uint32_t>(code_.optionals.size()) : 0,
       .count = static_cast<std::uint32_t>(elements.size())});
}

void Emitter::EmitMap(NodeId id, Slot to) {
  const std::span<const Entry> entries = ast_.entries_of(ast_.node(id));
  std::vector<std::size_t> exits;
  std::vector<bool> optionals;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Slot key = to + static_cast<Slot>(2 * i);
    EmitPart(entries[i].key, to, key, exits);
    EmitPart(entries[i].value, to, key + 1, exits);
    optionals.push_back(ast_.node(entries[i].value).is_optional);
    if (!optionals.back()) continue;
    exits.push_back(Add({.run = steps::RequireEntry, .to = to, .a = key + 1, .b = key}));
  }
  Land(exits);
  const bool has_optionals = std::ranges::find(optionals, true) != optionals.end();
  if (has_optionals) code_.optionals.push_back(std::move(optionals));
  Add({.run = steps::Map,
       .to = to,
       .b = has_optionals ? static_cast<std::uint32_t>(code_.optionals.size()) : 0,
       .count = static_cast<std::uint32_t>(entries.size())});
}

/// Host structures are read-only: creating one passes the checker and then fails.
/// Well-known messages can be created.
void Emitter::EmitStruct(NodeId id, Slot to) {
  const Node& node = ast_.node(id);
  const std::span<const Entry> entries = ast_.entries_of(node);
  std::vector<std::size_t> exits;
  std::vector<bool> optionals;
  auto* const fields = code_.memory.arena().Allocate<Value>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Slot part = to + static_cast<Slot>(i);
    EmitPart(entries[i].value, to, part, exits);
    new (fields + i) Value(Value::String(entries[i].field));
    optionals.push_back(ast_.node(entries[i].value).is_optional);
    if (!optionals.back()) continue;
    Reserve(part + 1);
    Add({.run = steps::Constant, .to = part + 1, .a = AddConstant(fields[i])});
    exits.push_back(Add({.run = steps::RequireEntry, .to = to, .a = part, .b = part + 1}));
  }
  Land(exits);
  const std::uint32_t name = AddConstant(Value::String(node.name));
  AddConstant(Value::List({fields, entries.size()}));
  const bool has_optionals = std::ranges::find(optionals, true) != optionals.end();
  if (has_optionals) code_.optionals.push_back(std::move(optionals));
  Add({.run = FindWellKnownType(node.name) == nullptr ? steps::Struct : steps::Message,
       .to = to,
       .a = name,
       .b = has_optionals ? static_cast<std::uint32_t>(code_.optionals.size()) : 0,
       .count = node.count});
}

}  // namespace plimsoll::cel
