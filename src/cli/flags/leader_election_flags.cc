#include "cli/flags/leader_election_flags.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "cli/flags/duration_flag.h"

namespace plimsoll::cli {

void AddLeaderElectionFlags(CLI::App& command, LeaderElectionFlags& flags) {
  command
      .add_option("--leader-elect-lease-duration", flags.lease_duration,
                  "How long others wait after the leader's last sign of life; 15s by default")
      ->type_name("DURATION");
  command
      .add_option("--leader-elect-renew-deadline", flags.renew_deadline,
                  "How long the leader tries to renew before it ends; 10s by default")
      ->type_name("DURATION");
  command
      .add_option("--leader-elect-retry-period", flags.retry_period,
                  "How long to wait between tries; 2s by default")
      ->type_name("DURATION");
  command
      .add_option("--leader-elect-resource-name", flags.resource_name,
                  "The lease; by default one for all that do the same work")
      ->type_name("NAME");
  command
      .add_option("--leader-elect-resource-namespace", flags.resource_namespace,
                  "Where the lease is; kube-system by default")
      ->type_name("NAMESPACE");
}

Status SetLeaseTimes(const LeaderElectionFlags& flags, client::LeaderElectionOptions& options) {
  const auto parse = [](std::string_view flag, const std::string& text, Duration& to) -> Status {
    if (!text.empty()) to = PL_TRY(ParseDurationFlag(flag, text));
    return {};
  };
  PL_TRY(parse("--leader-elect-lease-duration", flags.lease_duration, options.lease_duration));
  PL_TRY(parse("--leader-elect-renew-deadline", flags.renew_deadline, options.renew_deadline));
  PL_TRY(parse("--leader-elect-retry-period", flags.retry_period, options.retry_period));
  return client::Check(options);
}

}  // namespace plimsoll::cli
