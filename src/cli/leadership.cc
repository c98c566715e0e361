#include "cli/leadership.h"

#include <optional>
#include <utility>

#include "base/real_clock.h"
#include "cli/duration_flag.h"

namespace plimsoll::cli {
namespace {

/// A process that lost the lease must end. Leading again, it would act on outdated state.
client::LeaderElectionOptions WithoutReelection(client::LeaderElectionOptions options) {
  options.runs_again = false;
  return options;
}

}  // namespace

Status Apply(const LeaderTimes& times, client::LeaderElectionOptions& options) {
  const auto read = [](std::string_view flag, const std::string& text, Duration& to) -> Status {
    if (!text.empty()) to = PL_TRY(ReadDuration(flag, text));
    return {};
  };
  PL_TRY(read("--leader-elect-lease-duration", times.lease_duration, options.lease_duration));
  PL_TRY(read("--leader-elect-renew-deadline", times.renew_deadline, options.renew_deadline));
  PL_TRY(read("--leader-elect-retry-period", times.retry_period, options.retry_period));
  return client::Check(options);
}

Leadership::Leadership(client::LeaderElectionOptions options)
    : options_(WithoutReelection(std::move(options))),
      step_((options_.lease_duration - options_.renew_deadline) / 2),
      fence_(std::make_shared<client::LeaderFence>(BootTime, [this](std::optional<Duration> end) {
        // Stays armed when the fence closes: the former leader must end by then.
        if (end) switch_.EndAt(*end + step_);
      })) {}

client::ClientOptions Leadership::ForWork(std::string_view user_agent) const {
  client::ClientOptions options;
  options.user_agent = user_agent;
  options.fence = fence_;
  options.unacknowledged_max = step_;
  return options;
}

client::ClientOptions Leadership::ForElection(std::string_view user_agent) const {
  client::ClientOptions options;
  options.user_agent = std::string(user_agent) + "/leader-election";
  return options;
}

}  // namespace plimsoll::cli
