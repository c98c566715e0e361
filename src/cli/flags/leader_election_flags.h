#pragma once

#include <string>

#include "base/result.h"
#include "client/leader_core.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Values of the --leader-elect-… flags. Empty: value of the configuration, or the default.
struct LeaderElectionFlags {
  std::string lease_duration;  // times are Go durations
  std::string renew_deadline;
  std::string retry_period;
  std::string resource_name;  // name of the Lease
  std::string resource_namespace;
};

void AddLeaderElectionFlags(CLI::App& command, LeaderElectionFlags& flags);

/// Sets the times of the flags. Returns Invalid for malformed durations, or for three that are
/// inconsistent.
Status SetLeaseTimes(const LeaderElectionFlags& flags, client::LeaderElectionOptions& options);

}  // namespace plimsoll::cli
