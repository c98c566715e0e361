#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/random.h"
#include "base/time.h"

namespace plimsoll::client {

/// Delay before the next try. The defaults are those of upstream's informers.
struct BackoffOptions {
  Duration initial = std::chrono::milliseconds(800);
  Duration max = std::chrono::seconds(30);
  double factor = 2;
  double jitter = 1;  // a delay d becomes d to d * (1 + jitter)
  /// After this long without a failure, the delay starts again at `initial`.
  Duration reset = std::chrono::minutes(2);
};

/// Delays that grow with each failure. For one thread at a time.
class Backoff {
 public:
  Backoff(const BackoffOptions& options, std::uint64_t seed)
      : options_(options), delay_(options.initial), random_(seed) {}

  /// Returns the delay after a failure at `now`.
  Duration Next(Instant now) {
    if (has_failed_ && now - last_ > options_.reset) delay_ = options_.initial;
    has_failed_ = true;
    last_ = now;
    const Duration delay = delay_;
    delay_ = std::min(options_.max, Scale(delay_, options_.factor));
    return Scale(delay, 1 + options_.jitter * random_.Unit());
  }

 private:
  static Duration Scale(Duration duration, double by) {
    return Duration(static_cast<Duration::rep>(static_cast<double>(duration.count()) * by));
  }

  const BackoffOptions options_;
  Duration delay_;
  Random random_;
  bool has_failed_ = false;
  Instant last_;
};

}  // namespace plimsoll::client
