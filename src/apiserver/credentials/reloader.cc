#include "apiserver/credentials/reloader.h"

#include <utility>

namespace plimsoll::apiserver {
namespace {

std::vector<std::string> Named(std::vector<std::string> files) {
  std::erase(files, std::string());
  return files;
}

}  // namespace

Reloader::Reloader(std::vector<Reloadable> all, Clock& clock, WorkerPool& workers, Logger& log,
                   Duration check_period)
    : clock_(clock), workers_(workers), log_(log), check_period_(check_period) {
  for (Reloadable& one : all) {
    FileStamps stamps(Named(one.files));
    entries_.push_back({std::move(one), std::move(stamps), clock.Now()});
  }
}

void Reloader::Start() {
  timer_.emplace(clock_, PeriodicOptions{.interval = check_period_, .workers = &workers_},
                 [this](Instant) { Check(); });
}

void Reloader::Check() { Check(false); }

void Reloader::ReloadAll() { Check(true); }

void Reloader::Check(bool is_forced) {
  const std::lock_guard lock(mutex_);
  const Instant now = clock_.Now();
  for (Entry& entry : entries_) {
    const bool has_changed = entry.stamps.HaveChanged();
    const bool is_due =
        entry.what.period > Duration::zero() && now - entry.reloaded >= entry.what.period;
    if (!has_changed && !is_due && !is_forced) continue;
    entry.reloaded = now;
    const Status status = entry.what.reload();
    if (!status) {
      PL_LOG(log_, Error(), "Cannot reload; the old state stays in use", {"what", entry.what.name},
             {"reason", status.error().Text()});
    } else if (has_changed || is_forced) {
      PL_LOG(log_, Info(), "Reloaded", {"what", entry.what.name});
    }
  }
}

}  // namespace plimsoll::apiserver
