#include "cli/flags/leader_election_flags.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "cli/flags/duration_flag.h"

namespace plimsoll::cli {

void AddLeaderElectionFlags(CLI::App& command, LeaderElectionFlags& flags) {
  command
      .add_option("--leader-elect-lease-duration", flags.lease_duration,
                  "Time that other instances wait after the last renewal before they take over. "
                  "Without this flag 15s")
      ->type_name("DURATION");
  command
      .add_option("--leader-elect-renew-deadline", flags.renew_deadline,
                  "Time that the leader tries to renew the lease before it gives up leadership. "
                  "Without this flag 10s")
      ->type_name("DURATION");
  command
      .add_option("--leader-elect-retry-period", flags.retry_period,
                  "Time between two tries to acquire or renew the lease. Without this flag 2s")
      ->type_name("DURATION");
  command
      .add_option(
          "--leader-elect-resource-name", flags.resource_name,
          "Name of the Lease that the instances share. Without this flag the name of the component")
      ->type_name("NAME");
  command
      .add_option("--leader-elect-resource-namespace", flags.resource_namespace,
                  "Namespace of the Lease. Without this flag kube-system")
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
