#include "net/canceller.h"

#include <utility>

namespace plimsoll::net {

void Canceller::Cancel() {
  // Tasks run under the lock, so that none runs after Unlisten.
  const std::scoped_lock lock(mutex_);
  if (std::exchange(is_cancelled_, true)) return;
  for (auto& [id, task] : listeners_) task();
}

bool Canceller::is_cancelled() const {
  const std::scoped_lock lock(mutex_);
  return is_cancelled_;
}

std::uint64_t Canceller::Listen(Task task) {
  const std::scoped_lock lock(mutex_);
  if (is_cancelled_) task();
  listeners_.emplace(next_id_, std::move(task));
  return next_id_++;
}

void Canceller::Unlisten(std::uint64_t id) {
  const std::scoped_lock lock(mutex_);
  listeners_.erase(id);
}

}  // namespace plimsoll::net
