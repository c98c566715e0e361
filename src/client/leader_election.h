#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/async.h"
#include "base/log.h"
#include "base/random.h"
#include "client/client.h"
#include "client/leader_core.h"
#include "client/leader_fence.h"

namespace plimsoll::client {

/// Called on the elector's thread, which cannot renew meanwhile: notify another thread and return.
struct LeaderCallbacks {
  std::function<void()> on_started_leading;
  std::function<void()> on_stopped_leading;
  std::function<void(const std::string&)> on_new_leader;  // may be empty; also for this candidate
};

/// Runs for leader with a Lease, and renews the Lease while it leads. If renewal fails for
/// `renew_deadline`, it stops leading, and runs again or not. `on_started_leading` and
/// `on_stopped_leading` alternate, and the last one is a stop. The fence opens before the start and
/// closes before the stop. It is never open longer than `renew_deadline` after the last renewal was
/// sent.
class LeaderElector {
 public:
  /// REQUIRES: the options pass Check, and the client has no fence. The client, its clock and the
  /// log must outlive the elector.
  LeaderElector(const Client& client, LeaderElectionOptions options, LeaderCallbacks callbacks,
                std::shared_ptr<LeaderFence> fence, Logger& log);
  /// Calls Stop.
  ~LeaderElector();
  LeaderElector(const LeaderElector&) = delete;
  LeaderElector& operator=(const LeaderElector&) = delete;

  /// Call it once.
  void Start();
  /// Reports that it stopped leading if it led, and releases the lease. May be called several
  /// times, from any thread except the elector's.
  void Stop();

 private:
  void Run();
  /// Blocks until it leads. Returns the time until which that is certain; nullopt: it was stopped.
  std::optional<Instant> Acquire();
  /// Returns when it no longer leads or was stopped.
  void Renew(Instant deadline);
  /// Returns true if it leads now. `sure_until` then counts from before the call to the server.
  bool TryAndFence(Instant call_deadline, Instant& sure_until);
  void Release();
  /// Returns true if it leads now. Calls to the server time out at `deadline`.
  bool TryOnce(Instant deadline);
  bool Write(const LeaseRecord& record, const Call& call);
  void OnLease(ObjectPtr lease);
  void SetLeading(bool is_leading);
  Resource Lease() const;

  const Client& client_;
  const LeaderElectionOptions options_;
  const LeaderCallbacks callbacks_;
  const std::shared_ptr<LeaderFence> fence_;
  Logger& log_;
  const api::KindDesc& kind_;
  const std::shared_ptr<StopSignal> stop_;
  // Used by its own thread only.
  Random random_;
  LeaderCore core_{options_};
  ObjectPtr lease_;  // last seen
  std::string reported_;
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> thread_;
};

}  // namespace plimsoll::client
