#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/time.h"

namespace plimsoll::service {

/// Blocks SIGINT and SIGTERM during its lifetime, so that Wait can receive them. Must be created
/// before any thread, because threads inherit the signal mask.
class ShutdownSignals {
 public:
  /// Effect of SIGHUP: end the program, as by default, or call `reload` from Wait.
  enum class Hangup : std::uint8_t { Ends, Reloads };

  explicit ShutdownSignals(Hangup hangup = Hangup::Ends);
  ~ShutdownSignals();
  ShutdownSignals(const ShutdownSignals&) = delete;
  ShutdownSignals& operator=(const ShutdownSignals&) = delete;

  /// Blocks until SIGINT or SIGTERM, and returns the signal. After the first one, a second one ends
  /// the program at once.
  /// With Reloads, SIGHUP calls `reload` on this thread, and the wait continues.
  int Wait(const std::function<void()>& reload = {});
  /// Same, but returns nullopt after `time`. Does not handle SIGHUP.
  std::optional<int> WaitFor(Duration time);

 private:
  const Hangup hangup_;
};

}  // namespace plimsoll::service
