#include <mutex>
#include <utility>

#include "base/async.h"

namespace plimsoll {

/// Shared with the tasks of the clock and of the workers, because those cannot be taken back.
class Periodic::Timer : public std::enable_shared_from_this<Periodic::Timer> {
 public:
  Timer(Clock& clock, PeriodicOptions options, std::function<void(Instant now)> call)
      : clock_(clock), options_(options), call_(std::move(call)) {}

  void Arm(Duration delay) {
    clock_.At(clock_.Now() + delay, [self = shared_from_this()] { self->Fire(); });
  }
  void Stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }

 private:
  void Fire() {
    if (options_.workers == nullptr) return Call();
    const std::lock_guard lock(mutex_);  // the workers may be gone once it is stopped
    if (!is_stopped_) options_.workers->Run([self = shared_from_this()] { self->Call(); });
  }
  void Call() {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return;
    call_(clock_.Now());
    Arm(options_.interval);
  }

  std::mutex mutex_;  // held during a call, so that Stop() waits for it
  bool is_stopped_ = false;
  Clock& clock_;
  const PeriodicOptions options_;
  const std::function<void(Instant now)> call_;
};

Periodic::Periodic(Clock& clock, PeriodicOptions options, std::function<void(Instant now)> call)
    : timer_(std::make_shared<Timer>(clock, options, std::move(call))) {
  timer_->Arm(options.first_delay.value_or(options.interval));
}

Periodic::~Periodic() { Stop(); }

void Periodic::Stop() { timer_->Stop(); }

}  // namespace plimsoll
