#include "apiserver/credentials/reloader.h"

#include <mutex>
#include <utility>

#include "base/file_stamps.h"

namespace plimsoll::apiserver {
namespace {

std::vector<std::string> Named(std::vector<std::string> files) {
  std::erase(files, std::string());
  return files;
}

}  // namespace

class Reloader::State : public std::enable_shared_from_this<State> {
 public:
  State(std::vector<Reloadable> all, Clock& clock, WorkerPool& workers, Logger& log,
        Duration check_period)
      : clock_(clock), workers_(workers), log_(log), check_period_(check_period) {
    for (Reloadable& one : all) {
      FileStamps stamps(Named(one.files));
      entries_.push_back({std::move(one), std::move(stamps), clock.Now()});
    }
  }

  void Schedule() {
    clock_.At(clock_.Now() + check_period_, [weak = weak_from_this()] {
      if (const std::shared_ptr<State> state = weak.lock()) state->Tick(state);
    });
  }

  void Check(bool is_forced) {
    const std::scoped_lock lock(mutex_);
    if (!is_ended_) CheckLocked(is_forced);
  }

  /// After this, no reload starts and no work is queued.
  void End() {
    const std::scoped_lock lock(mutex_, tick_mutex_);
    is_ended_ = true;
  }

 private:
  struct Entry {
    Reloadable what;
    FileStamps stamps;
    Instant reloaded;
  };

  /// Runs on the clock's thread, which must not wait for files or for a reload.
  void Tick(const std::shared_ptr<State>& self) {
    const std::scoped_lock lock(tick_mutex_);
    if (is_ended_) return;
    workers_.Run([self] {
      self->Check(false);
      self->Schedule();
    });
  }

  void CheckLocked(bool is_forced) {
    const Instant now = clock_.Now();
    for (Entry& entry : entries_) {
      const bool has_changed = entry.stamps.HaveChanged();
      const bool is_due =
          entry.what.period > Duration::zero() && now - entry.reloaded >= entry.what.period;
      if (!has_changed && !is_due && !is_forced) continue;
      entry.reloaded = now;
      const Status status = entry.what.reload();
      if (!status) {
        PL_LOG(log_, Error(), "Cannot reload; the old state stays in use",
               {"what", entry.what.name}, {"reason", status.error().Text()});
      } else if (has_changed || is_forced) {
        PL_LOG(log_, Info(), "Reloaded", {"what", entry.what.name});
      }
    }
  }

  Clock& clock_;
  WorkerPool& workers_;
  Logger& log_;
  const Duration check_period_;
  std::mutex mutex_;  // guards entries_
  std::vector<Entry> entries_;
  std::mutex tick_mutex_;
  bool is_ended_ = false;  // written with both mutexes held, read with either
};

Reloader::Reloader(std::vector<Reloadable> all, Clock& clock, WorkerPool& workers, Logger& log,
                   Duration check_period)
    : state_(std::make_shared<State>(std::move(all), clock, workers, log, check_period)) {}

Reloader::~Reloader() { state_->End(); }

void Reloader::Start() { state_->Schedule(); }

void Reloader::Check() { state_->Check(false); }

void Reloader::ReloadAll() { state_->Check(true); }

}  // namespace plimsoll::apiserver
