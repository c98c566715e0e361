#pragma once

#include "cel/program.h"
#include "cel/value.h"

/// Functions of the strings library that split and replace.
namespace plimsoll::cel {

/// Arguments `text, old, new`: replaces all occurrences.
Value Replace(Evaluation& evaluation, const Value* arguments);
/// Same, but at most as often as the fourth argument says; a negative number means always.
Value ReplaceTimes(Evaluation& evaluation, const Value* arguments);

/// Arguments `text, separator`: an empty separator splits into code points.
Value Split(Evaluation& evaluation, const Value* arguments);
/// Same, into at most as many parts as the third argument says.
Value SplitTimes(Evaluation& evaluation, const Value* arguments);

}  // namespace plimsoll::cel
