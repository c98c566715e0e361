#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/random.h"
#include "base/worker_pool.h"
#include "client/client.h"
#include "client/leader_core.h"
#include "client/leader_fence.h"

namespace plimsoll::client {

/// Told on the elector's thread, which renews nothing meanwhile: hand it on, and return.
struct LeaderCallbacks {
  std::function<void()> on_started_leading;
  std::function<void()> on_stopped_leading;
  std::function<void(const std::string&)> on_new_leader;  // may be empty; also this candidate
};

/// Runs for leader by way of a Lease, and once it leads, renews it. When that fails for
/// `renew_deadline` it has stopped leading, and runs again or not. `on_started_leading` and
/// `on_stopped_leading` always come in turns, and the last one is a stop. The fence is open from
/// before the start to before the stop, and never longer than `renew_deadline` from when the last
/// renewal was sent.
class LeaderElector {
 public:
  /// The options must have passed Check. The client, which has no fence, its clock and the log must
  /// outlive it.
  LeaderElector(const Client& client, LeaderElectionOptions options, LeaderCallbacks callbacks,
                std::shared_ptr<LeaderFence> fence, Logger& log);
  /// Stops.
  ~LeaderElector();
  LeaderElector(const LeaderElector&) = delete;
  LeaderElector& operator=(const LeaderElector&) = delete;

  /// Once.
  void Start();
  /// Tells that it has stopped leading if it led, and gives the lease up. Any number of times, from
  /// any thread but the elector's.
  void Stop();

  /// From any thread.
  bool IsLeader() const;

 private:
  void Run();
  /// Returns when it leads, with the time up to which that is sure; nothing: it was stopped.
  std::optional<Instant> Acquire();
  /// Returns when it leads no more, or was stopped.
  void Renew(Instant deadline);
  /// Whether it leads now; `sure_until` is then from before the asking.
  bool TryAndFence(Instant call_deadline, Instant& sure_until);
  void Release();
  /// Whether it leads now. Each call to the server is given up at `deadline`.
  bool TryOnce(Instant deadline);
  bool Write(const LeaseRecord& record, const Call& call);
  void See(ObjectPtr lease);
  void SetLeading(bool is_leading);
  Resource Lease() const;

  const Client& client_;
  const LeaderElectionOptions options_;
  const LeaderCallbacks callbacks_;
  const std::shared_ptr<LeaderFence> fence_;
  Logger& log_;
  const api::KindDesc& kind_;
  const std::shared_ptr<StopSignal> stop_;
  // Of the thread alone:
  Random random_;
  LeaderCore core_{options_};
  ObjectPtr lease_;  // as last seen
  std::string reported_;
  mutable std::mutex mutex_;
  bool is_leading_ = false;  // guarded by mutex_
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> thread_;
};

}  // namespace plimsoll::client
