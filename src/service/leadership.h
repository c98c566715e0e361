#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/time.h"
#include "client/client.h"
#include "client/leader_core.h"
#include "client/leader_fence.h"
#include "service/dead_mans_switch.h"

namespace plimsoll::service {

/// Keeps a process from working when it does not lead. Steps by time since its last renewal was
/// sent, with upstream's defaults:
///
///   10 s  (renew_deadline) it sends no further writes, and ends
///   12.5  if it has not ended, because it is stopped or starved, the kernel kills it
///   15 s  (lease_duration) its requests in the network have expired; others may lead
///
/// Hence no pause, however long, lets an old leader act beside a new one.
class Leadership {
 public:
  /// REQUIRES: the options have passed client::Check.
  explicit Leadership(client::LeaderElectionOptions options);

  const client::LeaderElectionOptions& options() const { return options_; }
  const std::shared_ptr<client::LeaderFence>& fence() const { return fence_; }
  /// Options of the client for the component's work, which can write only while it leads.
  client::ClientOptions ForWork(std::string_view user_agent) const;
  /// Options of the client for the leader election.
  client::ClientOptions ForElection(std::string_view user_agent) const;

 private:
  const client::LeaderElectionOptions options_;
  const Duration step_;  // half of lease_duration minus renew_deadline
  DeadMansSwitch switch_;
  const std::shared_ptr<client::LeaderFence> fence_;
};

}  // namespace plimsoll::service
