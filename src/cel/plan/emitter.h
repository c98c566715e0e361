#pragma once

#include <string_view>
#include <vector>

#include "cel/eval/code.h"
#include "cel/plan/folding.h"

namespace plimsoll::cel {

using Slot = std::uint32_t;

/// Writes the instructions of an expression. Every Emit leaves the value of a node in the slot `to`
/// and may use all slots behind it.
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
    bool is_lazy = false;  // made where it is first read, by the code from `start` on
    bool is_list = false;  // began as an empty list, and only grows
    bool is_part = false;  // of what is iterated over, where no errors are
    Slot is_made = 0;
    Slot back = 0;
    std::size_t start = 0;
  };
  /// One step of a.b[c].?d
  struct Qualifier {
    NodeId node = kNoNode;
    NodeId index = kNoNode;      // of an index that is no constant
    const Value* key = nullptr;  // of all others
    bool is_optional = false;
    bool is_test = false;
  };
  struct Chain {
    NodeId head = kNoNode;
    std::vector<Qualifier> qualifiers;
    bool may_be_optional = false;
    bool has_index = false;  // that is known only at run time
    bool is_test = false;
  };

  void Emit(NodeId id, Slot to);
  /// Likewise, as a branch of `?:` or an index: there upstream does not charge for the beginning of
  /// a.b.c, and has() stays what it found.
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
  /// The place of a field in the declared structure, or -1.
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

  // The instructions written so far.
  std::size_t Add(const Instruction& instruction);
  std::size_t here() const { return code_.instructions.size(); }
  /// Lets the instruction jump to the next one to be written.
  void Land(std::size_t instruction);
  void Land(const std::vector<std::size_t>& instructions);
  std::uint32_t AddConstant(const Value& value);
  void Reserve(Slot slot);
  bool Is(NodeId id, std::string_view function) const;
  const Local* FindLocal(std::string_view name) const;
  /// The variable, when the node is nothing but one that is there already.
  const Local* FindPlainLocal(NodeId id) const;
  bool CanFail(NodeId id) const;

  const Ast& ast_;
  const Environment& environment_;
  const Folding& folding_;
  Code& code_;
  std::vector<Local> locals_;
};

}  // namespace plimsoll::cel
