#pragma once

#include "cel/program.h"

/// The operators that are calls like others, as implementations for the standard library. They take
/// values of any kind; the checker alone decides what it lets through.
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

/// For an operand whose kind does not know the operator at all. `message` names the operator; kinds
/// that upstream asks themselves (texts, durations, timestamps) answer without the name.
Value Refuse(Evaluation& evaluation, const Value& operand, std::string_view message);

}  // namespace plimsoll::cel::operators
