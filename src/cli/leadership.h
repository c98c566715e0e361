#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/dead_mans_switch.h"
#include "client/client.h"
#include "client/leader_core.h"
#include "client/leader_fence.h"

namespace plimsoll::cli {

/// How long a lease is held, as Go writes durations; empty: as the configuration or the default
/// says.
struct LeaderTimes {
  std::string lease_duration;
  std::string renew_deadline;
  std::string retry_period;
};

/// Invalid: what is no duration, or three that do not go together.
Status Apply(const LeaderTimes& times, client::LeaderElectionOptions& options);

/// What keeps a process from working when it does not lead, by time since its last renewal was
/// sent, with upstream's defaults:
///
///   10 s  (renew_deadline) it sends no further change, and ends
///   12.5  if it has not ended, because it is stopped or starved, the kernel ends it
///   15 s  (lease_duration) what the network still held of it is given up; others may lead
///
/// So that no pause, however long and wherever it falls, lets an old leader act beside a new one.
class Leadership {
 public:
  /// The options have passed Check.
  explicit Leadership(client::LeaderElectionOptions options);

  const client::LeaderElectionOptions& options() const { return options_; }
  const std::shared_ptr<client::LeaderFence>& fence() const { return fence_; }
  /// Of the client that works, which can while it leads.
  client::ClientOptions ForWork(std::string_view user_agent) const;
  /// Of the client that runs for leader.
  client::ClientOptions ForElection(std::string_view user_agent) const;

 private:
  const client::LeaderElectionOptions options_;
  const Duration step_;  // half of what lies between the end of the fence and that of the lease
  DeadMansSwitch switch_;
  const std::shared_ptr<client::LeaderFence> fence_;
};

}  // namespace plimsoll::cli
