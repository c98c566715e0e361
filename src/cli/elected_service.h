#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "base/log.h"
#include "cli/leadership.h"
#include "client/client.h"
#include "client/leader_election.h"

namespace plimsoll::cli {

/// What it takes to run for leader; all of it outlives whoever does.
struct Election {
  const Leadership& leadership;
  const client::Client& client;  // that has no fence
};

/// A part of the control plane that runs while it leads, or always. Once another may lead, the
/// process is told to end: nothing that it still has in mind may reach the server.
class ElectedService {
 public:
  struct Work {
    std::function<void()> start;  // once
    std::function<void()> stop;   // any number of times
  };

  /// Without `election` it always runs. The log must outlive it.
  ElectedService(const Election* election, Work work, Logger& log);

  void Start();
  /// First nothing is done any more, then others may lead.
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

}  // namespace plimsoll::cli
