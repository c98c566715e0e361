#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/async.h"
#include "base/clock.h"

namespace plimsoll::store {

/// A thread for long-running work on a store: syncing its high-water file, reclaiming space, and
/// scrubbing. A clock triggers it.
class RocksMaintenance {
 public:
  struct Work {
    /// Called every kInterval on the clock's thread; must be quick. Returns true if space is short.
    std::function<bool()> is_space_short;
    // Called on the maintenance thread.
    std::function<void()> sync;     // every kInterval
    std::function<void()> reclaim;  // while space is short, every kReclaimPause
    std::function<void()> scrub;
    /// Makes the functions above return soon.
    std::function<void()> stop;
  };
  static constexpr Duration kInterval = std::chrono::seconds(10);
  static constexpr Duration kReclaimPause = std::chrono::minutes(1);
  /// Delay of the first scrub. It is short, so that servers that restart daily are scrubbed, too.
  static constexpr Duration kFirstScrub = std::chrono::minutes(10);

  /// Zero `scrub_interval`: no scrub. The clock must outlive this object.
  RocksMaintenance(Clock& clock, Duration scrub_interval, Work work);
  ~RocksMaintenance();
  RocksMaintenance(const RocksMaintenance&) = delete;
  RocksMaintenance& operator=(const RocksMaintenance&) = delete;

 private:
  struct Due {
    bool sync = false;
    bool reclaim = false;
    bool scrub = false;
    bool any() const { return sync || reclaim || scrub; }
  };

  void OnTimer(Instant now);
  void Run();

  const Duration scrub_interval_;
  const Work work_;
  // Used by the clock's thread only.
  Instant next_scrub_;
  Instant next_reclaim_;

  std::mutex mutex_;
  std::condition_variable wake_;
  Due due_;
  bool is_closing_ = false;
  Periodic timer_;
  std::thread thread_;
};

}  // namespace plimsoll::store
