#pragma once

#include "cel/eval/code.h"

/// The steps that programs are made of, one file per table below. A comment says what a step reads
/// besides `to`; `jump` where it may go instead of on.
namespace plimsoll::cel::steps {

using Next = const Instruction*;

// steps_value.cc
Next Constant(Machine& machine, Next at);  // a: constant
Next Variable(Machine& machine, Next at);  // a: place among the variables; cost
Next Local(Machine& machine, Next at);     // a: slot; cost
Next Move(Machine& machine, Next at);      // a: slot
Next Charge(Machine& machine, Next at);    // cost
Next Refund(Machine& machine, Next at);    // takes one off the cost
Next Jump(Machine& machine, Next at);      // jump
Next Finish(Machine& machine, Next at);    // stops
Next Defer(Machine& machine, Next at);     // a: slot that says whether the value is there
Next Force(Machine& machine, Next at);     // a: as Defer; b: slot to return from; jump: the code
Next Return(Machine& machine, Next at);    // a: as Defer; b: as Force

// steps_access.cc: all jump to the end of their chain on an error or an absent optional
Next VariableField(Machine& machine, Next at);  // a: variable; b: place of field; count: its name
Next Field(Machine& machine, Next at);          // a: place of the field; b: constant, its name
Next Key(Machine& machine, Next at);            // a: constant
Next Index(Machine& machine, Next at);          // a: slot of the key
Next Test(Machine& machine, Next at);           // a: constant
Next ChainBegin(Machine& machine, Next at);     // b: slot that says whether the chain is optional
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
Next OrElse(Machine& machine, Next at);  // jump: has a value; count: which is taken out

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

// steps_loop.cc: `to` holds the range, to + 1 the place in it, to + 2 on the variables
Next LoopBegin(Machine& machine, Next at);  // count: variables; jump: nothing to go over
Next LoopNext(Machine& machine, Next at);   // count: variables; jump: no more
Next LoopWhile(Machine& machine, Next at);  // a: accumulator; count: the Bool that ends; cost
Next LoopTest(Machine& machine, Next at);   // jump: ends
Next LoopStep(Machine& machine, Next at);   // a: slot of the new accumulator; jump: to LoopNext

}  // namespace plimsoll::cel::steps
