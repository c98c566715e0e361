#pragma once

#include "cel/eval/code.h"

/// The steps of programs, one file per table below. The comments list the fields that a step reads
/// besides `to`; `jump` is followed by the condition under which it is taken.
namespace plimsoll::cel::steps {

using Next = const Instruction*;

// steps_value.cc
Next Constant(Machine& machine, Next at);  // a: constant
Next Variable(Machine& machine, Next at);  // a: index of the variable; cost
Next Local(Machine& machine, Next at);     // a: slot; cost
Next Move(Machine& machine, Next at);      // a: slot
Next Charge(Machine& machine, Next at);    // cost
Next Refund(Machine& machine, Next at);    // subtracts one from the cost
Next Jump(Machine& machine, Next at);      // jump
Next Finish(Machine& machine, Next at);    // stops
Next Defer(Machine& machine, Next at);     // a: slot with the flag "value is computed"
Next Force(Machine& machine, Next at);     // a: as Defer; b: slot to return from; jump: the code
Next Return(Machine& machine, Next at);    // a: as Defer; b: as Force

// steps_access.cc: all jump to the end of their chain on an error or an absent optional
Next VariableField(Machine& machine, Next at);  // a: variable; b: index of field; count: its name
Next Field(Machine& machine, Next at);          // a: index of the field; b: constant, its name
Next Key(Machine& machine, Next at);            // a: constant
Next Index(Machine& machine, Next at);          // a: slot of the key
Next Test(Machine& machine, Next at);           // a: constant
Next ChainBegin(Machine& machine, Next at);     // b: slot with the flag "chain is optional"
Next ChainKey(Machine& machine, Next at);       // a: constant; b: as ChainBegin; count: is optional
Next ChainIndex(Machine& machine, Next at);     // a: slot; b: as ChainBegin; count: is optional
Next ChainTest(Machine& machine, Next at);      // a: constant; b: as ChainBegin
Next ChainEnd(Machine& machine, Next at);       // b: as ChainBegin
Next TestEnd(Machine& machine, Next at);

// steps_logic.cc
Next AndLeft(Machine& machine, Next at);       // jump: decided
Next LocalAndLeft(Machine& machine, Next at);  // a: slot of the left side; cost; jump: decided
Next LocalOrLeft(Machine& machine, Next at);
Next AndRight(Machine& machine, Next at);  // a: slot of the right side
Next OrLeft(Machine& machine, Next at);
Next OrRight(Machine& machine, Next at);
Next Branch(Machine& machine, Next at);  // jump: false; b: distance to the end, on an error
Next Not(Machine& machine, Next at);
Next NotStrictlyFalse(Machine& machine, Next at);
Next OrElse(Machine& machine, Next at);  // jump: has a value; count: unwrap it

// steps_call.cc: arguments from slot `to` on; a: call
Next Call(Machine& machine, Next at);
Next CallGuarded(Machine& machine, Next at);
Next CallDynamic(Machine& machine, Next at);
Next CallPrepared(Machine& machine, Next at);
Next Equal(Machine& machine, Next at);
Next NotEqual(Machine& machine, Next at);
Next InSet(Machine& machine, Next at);  // a: set
Next Bail(Machine& machine, Next at);   // a: slot; jump: it holds an error

// steps_literal.cc: parts from slot `to` on, or an error in `to`; b: optionals, 0 for none
Next List(Machine& machine, Next at);            // count: elements
Next Map(Machine& machine, Next at);             // count: entries
Next Struct(Machine& machine, Next at);          // a: constant, the name of the type
Next Message(Machine& machine, Next at);         // a: constant, its name, then its fields
Next RequireElement(Machine& machine, Next at);  // a: slot; jump: not an optional
Next RequireEntry(Machine& machine, Next at);    // a: slot of the value; b: of the key
Next Append(Machine& machine, Next at);          // a: slot of the list; b: of the element; cost

// steps_loop.cc: `to` holds the range, to + 1 the index in it, to + 2 and up the variables
Next LoopBegin(Machine& machine, Next at);  // count: variables; jump: empty range
Next LoopNext(Machine& machine, Next at);   // count: variables; jump: end of range
Next LoopWhile(Machine& machine, Next at);  // a: accumulator; count: Bool that ends it; cost
Next LoopTest(Machine& machine, Next at);   // jump: ends
Next LoopStep(Machine& machine, Next at);   // a: slot of the new accumulator; jump: to LoopNext

}  // namespace plimsoll::cel::steps
