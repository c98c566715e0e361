#pragma once

#include "cel/program.h"
#include "cel/value.h"

/// The functions of the strings library that cut texts up and put others in.
namespace plimsoll::cel {

/// `text, old, new`: all that are found.
Value Replace(Evaluation& evaluation, const Value* arguments);
/// Likewise, at most as often as the fourth argument says; always, when that is negative.
Value ReplaceTimes(Evaluation& evaluation, const Value* arguments);

/// `text, separator`: an empty separator parts code points.
Value Split(Evaluation& evaluation, const Value* arguments);
/// Likewise, into at most as many parts as the third argument says.
Value SplitTimes(Evaluation& evaluation, const Value* arguments);

}  // namespace plimsoll::cel
