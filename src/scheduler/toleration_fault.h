#pragma once

#include <optional>

#include "api/core/taint.h"
#include "match/diagnosis.h"
#include "scheduler/action.h"

namespace plimsoll::scheduler {

/// What the log is to say of a toleration that was held against a taint: something when one of the
/// two could not be read, or an expression failed; nothing of values that merely do not fit.
/// Messages are upstream's where it has some.
std::optional<LogFault> FaultToLog(const match::TolerationAttempt& attempt,
                                   const api::Taint& taint);

}  // namespace plimsoll::scheduler
