#pragma once

#include <optional>

#include "api/action.h"
#include "api/core/taint.h"
#include "match/diagnosis.h"

namespace plimsoll::scheduler {

/// Returns the log line for a toleration that was compared with a taint. Set only if one of the two
/// did not parse or an expression failed, not if values merely differ. Messages are upstream's
/// where it has them.
std::optional<api::WriteLog> FaultToLog(const match::TolerationAttempt& attempt,
                                        const api::Taint& taint);

}  // namespace plimsoll::scheduler
