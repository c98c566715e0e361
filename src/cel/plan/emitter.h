#pragma once

#include <string_view>
#include <vector>

#include "cel/eval/code.h"
#include "cel/plan/folding.h"

namespace plimsoll::cel {

using Slot = std::uint32_t;

/// Emits the instructions of an expression. Every Emit function leaves the value of a node in the
/// slot `to` and may use all slots after it.
class Emitter {
 public:
  Emitter(const Ast& ast, const Environment& environment, const Folding& folding, Code& code)
      : ast_(ast), environment_(environment), folding_(folding), code_(code) {}

  void EmitProgram();

 private:
  /// A variable of a comprehension.
  struct Local {
    std::string_view name;
    Slot slot = 0;
    bool is_lazy = false;  // computed at its first use, by the code at `start`
    bool is_list = false;  // begins as an empty list and only grows
    bool is_part = false;  // element of the range, never an error
    Slot is_made = 0;
    Slot back = 0;
    std::size_t start = 0;
  };
  /// One qualifier of a.b[c].?d
  struct Qualifier {
    NodeId node = kNoNode;
    NodeId index = kNoNode;      // for an index that is no constant
    const Value* key = nullptr;  // for all other qualifiers
    bool is_optional = false;
    bool is_test = false;
  };
  struct Chain {
    NodeId head = kNoNode;
    std::vector<Qualifier> qualifiers;
    bool may_be_optional = false;
    bool has_index = false;  // an index known only at run time
    bool is_test = false;
  };

  void Emit(NodeId id, Slot to);
  /// Same as Emit, for a branch of `?:` or an index. Upstream does not charge for the first name of
  /// a.b.c there, and leaves the result of has() as it is.
  void EmitUncharged(NodeId id, Slot to);

  // emit_chain.cc
  bool IsName(NodeId id) const;
  bool IsChain(NodeId id) const;
  Chain ChainOf(NodeId id) const;
  void EmitChain(NodeId id, Slot to, bool is_charged);
  void EmitName(NodeId id, Slot to, std::uint32_t cost);
  void EmitQualifier(const Chain& chain, const Qualifier& qualifier, Slot to,
                     std::vector<std::size_t>& exits);
  bool EmitVariableField(const Chain& chain, Slot to, std::uint32_t cost,
                         std::vector<std::size_t>& exits);
  /// Returns the index of a field in the declared structure, or -1.
  std::int64_t FieldPlace(NodeId whole, std::string_view field) const;

  // emit_call.cc
  void EmitCall(NodeId id, Slot to);
  bool EmitOperator(NodeId id, Slot to);
  struct LogicSteps {
    Step left;
    Step local_left;
    Step right;
  };
  void EmitLogic(NodeId id, Slot to, const LogicSteps& steps);
  void EmitConditional(NodeId id, Slot to);
  void EmitOrElse(NodeId id, Slot to, bool takes_value);
  void EmitPlainCall(NodeId id, Slot to, Step run);
  bool EmitAppend(NodeId id, Slot to);
  std::uint32_t AddCall(NodeId id);
  Step StepOf(NodeId id) const;

  // emit_literal.cc
  void EmitList(NodeId id, Slot to);
  void EmitMap(NodeId id, Slot to);
  void EmitStruct(NodeId id, Slot to);
  void EmitPart(NodeId id, Slot to, Slot part, std::vector<std::size_t>& exits);

  // emit_loop.cc
  void EmitLoop(NodeId id, Slot to);
  void EmitIterations(const Comprehension& loop, const Local& accumulator, Slot to, Slot parts);
  Slot EmitLazy(const Comprehension& loop, Slot to);
  std::size_t EmitLoopCondition(const Comprehension& loop, Slot to);

  // Instructions emitted so far.
  std::size_t Add(const Instruction& instruction);
  std::size_t here() const { return code_.instructions.size(); }
  /// Sets the jump of the instruction to the next one to be emitted.
  void Land(std::size_t instruction);
  void Land(const std::vector<std::size_t>& instructions);
  std::uint32_t AddConstant(const Value& value);
  void Reserve(Slot slot);
  bool Is(NodeId id, std::string_view function) const;
  const Local* FindLocal(std::string_view name) const;
  /// Returns the variable if the node is only its name and it is already computed.
  const Local* FindPlainLocal(NodeId id) const;
  bool CanFail(NodeId id) const;

  const Ast& ast_;
  const Environment& environment_;
  const Folding& folding_;
  Code& code_;
  std::vector<Local> locals_;
};

}  // namespace plimsoll::cel
