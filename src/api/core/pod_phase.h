#pragma once

#include <string_view>

#include "api/core/pod.h"

namespace plimsoll::api {

/// Returns true for Succeeded and Failed. A pod never leaves these phases.
inline bool IsPodPhaseTerminal(std::string_view phase) {
  return phase == "Succeeded" || phase == "Failed";
}

inline bool IsPodTerminal(const Pod& pod) { return IsPodPhaseTerminal(pod.status.phase); }

}  // namespace plimsoll::api
