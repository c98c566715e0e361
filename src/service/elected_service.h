#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "base/log.h"
#include "client/client.h"
#include "client/leader_election.h"
#include "service/leadership.h"

namespace plimsoll::service {

/// Parameters of a leader election. The members must outlive the elected service.
struct Election {
  const Leadership& leadership;
  const client::Client& client;  // without a leader fence
};

/// A component that runs while it leads, or always. When it loses leadership it sends SIGTERM to
/// its own process, so that none of its pending work reaches the server.
class ElectedService {
 public:
  struct Work {
    std::function<void()> start;  // called once
    std::function<void()> stop;   // may be called repeatedly
  };

  /// If `election` is null, the service always runs. REQUIRES: `log` outlives it.
  ElectedService(const Election* election, Work work, Logger& log);

  void Start();
  /// Stops the work first, and then releases the lease.
  void Stop();

  bool is_elected() const { return elector_ != nullptr; }
  bool has_lost() const { return has_lost_; }

 private:
  void OnLost();

  const Work work_;
  Logger& log_;
  std::atomic<bool> is_ending_ = false;
  std::atomic<bool> has_lost_ = false;
  std::unique_ptr<client::LeaderElector> elector_;
};

}  // namespace plimsoll::service
