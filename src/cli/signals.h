#pragma once

#include <optional>

#include "base/time.h"

namespace plimsoll::cli {

/// While it lives, the signals that ask a program to end wait to be taken here instead of ending
/// it. To be made before any thread, since threads inherit what is blocked.
class EndSignals {
 public:
  EndSignals();
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// Waits for SIGINT or SIGTERM and says which it was. After the first, the next one ends the
  /// program at once: whoever asks twice does not want to wait.
  int Wait();
  /// The same, for so long at most. Nothing: none came.
  std::optional<int> WaitFor(Duration time);
};

}  // namespace plimsoll::cli
