#pragma once

#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/time.h"

namespace plimsoll::controller {

/// Creations and deletions whose watch events have not arrived. Until then the known pods are
/// stale, and acting on them would create or delete too many. After five minutes an event counts as
/// lost, like upstream.
class Expectations {
 public:
  static constexpr Duration kTimeout = std::chrono::minutes(5);

  void ExpectCreations(std::size_t count, Instant now) {
    creations_ += count;
    since_ = now;
  }
  void ExpectDeletion(std::string_view uid, Instant now) {
    deletions_.emplace(uid);
    since_ = now;
  }
  /// Records a creation that was observed or has failed. Returns false if none was expected.
  bool CreationObserved() {
    if (creations_ == 0) return false;
    --creations_;
    return true;
  }
  void DeletionObserved(std::string_view uid) {
    const auto at = deletions_.find(uid);
    if (at != deletions_.end()) deletions_.erase(at);
  }

  bool is_deleting(std::string_view uid) const { return deletions_.contains(uid); }
  std::size_t creations() const { return creations_; }
  bool is_satisfied(Instant now) const { return is_empty() || since_ + kTimeout <= now; }
  bool is_empty() const { return creations_ == 0 && deletions_.empty(); }
  /// Returns the time at which waiting ends.
  Instant timeout() const { return since_ + kTimeout; }
  /// Stops waiting for lost events.
  void Reset() {
    creations_ = 0;
    deletions_.clear();
  }

 private:
  std::size_t creations_ = 0;
  std::set<std::string, std::less<>> deletions_;  // pod uids
  Instant since_{};
};

}  // namespace plimsoll::controller
