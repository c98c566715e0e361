#pragma once

#include "cel/program.h"

/// Implementations of the operators that are plain calls, for the standard library. They accept
/// values of any kind; only the checker restricts types.
namespace plimsoll::cel::operators {

Value Add(Evaluation& evaluation, const Value* arguments);
Value Subtract(Evaluation& evaluation, const Value* arguments);
Value Multiply(Evaluation& evaluation, const Value* arguments);
Value Divide(Evaluation& evaluation, const Value* arguments);
Value Modulo(Evaluation& evaluation, const Value* arguments);
Value Negate(Evaluation& evaluation, const Value* arguments);
Value Not(Evaluation& evaluation, const Value* arguments);

Value Less(Evaluation& evaluation, const Value* arguments);
Value LessEquals(Evaluation& evaluation, const Value* arguments);
Value Greater(Evaluation& evaluation, const Value* arguments);
Value GreaterEquals(Evaluation& evaluation, const Value* arguments);

Value In(Evaluation& evaluation, const Value* arguments);
Value Size(Evaluation& evaluation, const Value* arguments);

/// Returns the error for an operand whose kind does not support the operator. `message` names the
/// operator; for texts, durations and timestamps upstream's message omits it.
Value Refuse(Evaluation& evaluation, const Value& operand, std::string_view message);

}  // namespace plimsoll::cel::operators
