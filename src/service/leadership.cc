#include "service/leadership.h"

#include <optional>
#include <utility>

#include "base/real_clock.h"

namespace plimsoll::service {
namespace {

/// A process that lost the lease must end. Leading again, it would act on outdated state.
client::LeaderElectionOptions WithoutReelection(client::LeaderElectionOptions options) {
  options.runs_again = false;
  return options;
}

}  // namespace

Leadership::Leadership(client::LeaderElectionOptions options)
    : options_(WithoutReelection(std::move(options))),
      step_((options_.lease_duration - options_.renew_deadline) / 2),
      fence_(std::make_shared<client::LeaderFence>(BootTime, [this](std::optional<Duration> end) {
        // Stays armed when the fence closes: the former leader must end by then.
        if (end) switch_.KillAt(*end + step_);
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

}  // namespace plimsoll::service
