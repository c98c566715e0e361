#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/time.h"

namespace plimsoll::cli {

/// While it lives, the signals that ask a program to end wait to be taken here instead of ending
/// it. To be made before any thread, since threads inherit what is blocked.
class EndSignals {
 public:
  /// What SIGHUP does: end the program, as by default, or call back from Wait.
  enum class Hangup : std::uint8_t { Ends, Reloads };

  explicit EndSignals(Hangup hangup = Hangup::Ends);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// Waits for SIGINT or SIGTERM and says which it was. After the first, the next one ends the
  /// program at once: whoever asks twice does not want to wait.
  /// SIGHUP, where it reloads, calls `reload` on this thread and goes on waiting.
  int Wait(const std::function<void()>& reload = {});
  /// The same, for so long at most. Nothing: none came.
  std::optional<int> WaitFor(Duration time);

 private:
  const Hangup hangup_;
};

}  // namespace plimsoll::cli
