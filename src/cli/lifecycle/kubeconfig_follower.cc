#include "cli/lifecycle/kubeconfig_follower.h"

#include <utility>

#include "base/file.h"

namespace plimsoll::cli {
namespace {

constexpr Duration kCheckPeriod = std::chrono::seconds(2);

}  // namespace

KubeconfigFollower::KubeconfigFollower(Options options, Clock& clock, Logger& log)
    : options_(std::move(options)), log_(log), stamps_({options_.from}) {
  if (options_.into.empty()) return;
  timer_.emplace(
      clock, PeriodicOptions{.interval = kCheckPeriod * options_.time_scale, .workers = &workers_},
      [this](Instant) { Check(); });
}

void KubeconfigFollower::Check() {
  if (stamps_.HaveChanged()) is_pending_ = true;
  if (!is_pending_) return;
  const auto merge = [&]() -> Result<bool> {
    if (!PL_TRY(HasKubeconfigEntries(options_.into, options_.entries))) return false;
    PL_TRY(MergeKubeconfig(options_.into, options_.entries, PL_TRY(ReadFile(options_.from)),
                           CurrentContext::Keep));
    return true;
  };
  const Result<bool> merged = merge();
  is_pending_ = !merged;
  if (!merged) {
    PL_LOG(log_, Error(merged.error()), "Cannot renew the entries in the user's kubeconfig",
           {"file", options_.into});
  } else if (*merged) {
    PL_LOG(log_, Info(), "Renewed the entries in the user's kubeconfig", {"file", options_.into});
  }
}

}  // namespace plimsoll::cli
