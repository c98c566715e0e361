#include "scheduler/cluster/journal.h"

namespace plimsoll::scheduler {

void Journal::Trim(std::size_t limit) {
  if (entries_.size() <= limit) return;
  const std::size_t dropped = entries_.size() - limit / 2;
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(dropped));
  base_ += dropped;
}

}  // namespace plimsoll::scheduler
