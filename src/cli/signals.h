#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/time.h"

namespace plimsoll::cli {

/// Blocks SIGINT and SIGTERM during its lifetime, so that Wait can receive them. Must be created
/// before any thread, because threads inherit the signal mask.
class EndSignals {
 public:
  /// Effect of SIGHUP: end the program, as by default, or call `reload` from Wait.
  enum class Hangup : std::uint8_t { Ends, Reloads };

  explicit EndSignals(Hangup hangup = Hangup::Ends);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// Blocks until SIGINT or SIGTERM, and returns the signal. After the first one, a second one ends
  /// the program at once.
  /// With Reloads, SIGHUP calls `reload` on this thread, and the wait continues.
  int Wait(const std::function<void()>& reload = {});
  /// Same, but returns nullopt after `time`. Does not handle SIGHUP.
  std::optional<int> WaitFor(Duration time);

 private:
  const Hangup hangup_;
};

}  // namespace plimsoll::cli
