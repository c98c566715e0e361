#include "store/rocks_maintenance.h"

#include <algorithm>
#include <utility>

#include "base/thread_role.h"

namespace plimsoll::store {

RocksMaintenance::RocksMaintenance(Clock& clock, Duration scrub_interval, Work work)
    : scrub_interval_(scrub_interval),
      work_(std::move(work)),
      next_scrub_(clock.Now() + std::min(scrub_interval, kFirstScrub)),
      next_reclaim_(clock.Now()),
      timer_(clock,
             {scrub_interval > Duration::zero() ? std::min(scrub_interval, kInterval) : kInterval},
             [this](Instant now) { OnTimer(now); }),
      thread_([this] {
        SetThreadRole({.name = "store-maint", .is_background = true});
        Run();
      }) {}

RocksMaintenance::~RocksMaintenance() {
  timer_.Stop();
  work_.stop();
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void RocksMaintenance::OnTimer(Instant now) {
  const bool is_short = work_.is_space_short();
  {
    const std::lock_guard lock(mutex_);
    due_.sync = true;
    if (is_short && now >= next_reclaim_) {
      due_.reclaim = true;
      next_reclaim_ = now + kReclaimPause;
    }
    if (scrub_interval_ > Duration::zero() && now >= next_scrub_) {
      due_.scrub = true;
      next_scrub_ = now + scrub_interval_;
    }
  }
  wake_.notify_one();
}

void RocksMaintenance::Run() {
  while (true) {
    Due due;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return is_closing_ || due_.any(); });
      if (is_closing_) return;
      due = std::exchange(due_, {});
    }
    if (due.sync) work_.sync();
    if (due.reclaim) work_.reclaim();
    if (due.scrub) work_.scrub();
  }
}

}  // namespace plimsoll::store
