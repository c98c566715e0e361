#include "cel/plan/emitter.h"

#include <algorithm>

#include "cel/eval/steps.h"

namespace plimsoll::cel {

void Emitter::EmitProgram() {
  Emit(ast_.root, 0);
  Add({.run = steps::Finish});
}

void Emitter::Emit(NodeId id, Slot to) {
  Reserve(to);
  if (const Value* const constant = folding_.constant(id); constant != nullptr) {
    Add({.run = steps::Constant, .to = to, .a = AddConstant(*constant)});
    return;
  }
  if (IsChain(id)) return EmitChain(id, to, true);
  switch (ast_.node(id).kind) {
    case NodeKind::Call:
      return EmitCall(id, to);
    case NodeKind::List:
      return EmitList(id, to);
    case NodeKind::Map:
      return EmitMap(id, to);
    case NodeKind::Struct:
      return EmitStruct(id, to);
    case NodeKind::Comprehension:
      return EmitLoop(id, to);
    case NodeKind::Fault:
    case NodeKind::Literal:
    case NodeKind::Ident:
    case NodeKind::Select:
      break;
  }
  PL_ASSERT(false);
}

void Emitter::EmitUncharged(NodeId id, Slot to) {
  const bool is_chain = folding_.constant(id) == nullptr && IsChain(id);
  if (!is_chain) return Emit(id, to);
  Reserve(to);
  EmitChain(id, to, false);
}

std::size_t Emitter::Add(const Instruction& instruction) {
  code_.instructions.push_back(instruction);
  return code_.instructions.size() - 1;
}

void Emitter::Land(std::size_t instruction) {
  code_.instructions[instruction].jump = static_cast<std::int32_t>(here() - instruction);
}

void Emitter::Land(const std::vector<std::size_t>& instructions) {
  for (const std::size_t instruction : instructions) Land(instruction);
}

std::uint32_t Emitter::AddConstant(const Value& value) {
  code_.constants.push_back(value);
  return static_cast<std::uint32_t>(code_.constants.size() - 1);
}

void Emitter::Reserve(Slot slot) { code_.slot_count = std::max(code_.slot_count, slot + 1); }

bool Emitter::Is(NodeId id, std::string_view function) const {
  const Node& node = ast_.node(id);
  return node.kind == NodeKind::Call && node.name == function;
}

const Emitter::Local* Emitter::FindLocal(std::string_view name) const {
  const auto found = std::ranges::find(locals_.rbegin(), locals_.rend(), name, &Local::name);
  return found == locals_.rend() ? nullptr : &*found;
}

const Emitter::Local* Emitter::FindPlainLocal(NodeId id) const {
  const bool is_local =
      ast_.node(id).kind == NodeKind::Ident && ast_.references[id].kind == Reference::Kind::Local;
  const Local* const local = is_local ? FindLocal(ast_.node(id).name) : nullptr;
  return local != nullptr && !local->is_lazy ? local : nullptr;
}

bool Emitter::CanFail(NodeId id) const {
  if (folding_.constant(id) != nullptr) return false;
  const Local* const local = FindPlainLocal(id);
  return local == nullptr || !local->is_part;
}

}  // namespace plimsoll::cel
