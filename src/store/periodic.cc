#include "store/periodic.h"

#include <mutex>
#include <utility>

namespace plimsoll::store {

/// Shared with the clock's tasks, because those cannot be taken back.
class Periodic::Timer : public std::enable_shared_from_this<Periodic::Timer> {
 public:
  Timer(Clock& clock, Duration interval, std::function<void(Instant now)> call)
      : clock_(clock), interval_(interval), call_(std::move(call)) {}

  void Arm() {
    clock_.At(clock_.Now() + interval_, [self = shared_from_this()] { self->Fire(); });
  }
  void Stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }

 private:
  void Fire() {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return;
    call_(clock_.Now());
    Arm();
  }

  std::mutex mutex_;
  bool is_stopped_ = false;
  Clock& clock_;
  const Duration interval_;
  const std::function<void(Instant now)> call_;
};

Periodic::Periodic(Clock& clock, Duration interval, std::function<void(Instant now)> call)
    : timer_(std::make_shared<Timer>(clock, interval, std::move(call))) {
  timer_->Arm();
}

Periodic::~Periodic() { Stop(); }

void Periodic::Stop() { timer_->Stop(); }

}  // namespace plimsoll::store
