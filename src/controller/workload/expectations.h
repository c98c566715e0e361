#pragma once

#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/time.h"

namespace plimsoll::controller {

/// What was asked for and not yet seen. As long as something is, what is known of the pods is old
/// news, and deciding by it would make or delete too many. What does not come within five minutes
/// was missed, as upstream has it.
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
  /// Seen, or known not to come. False when none was expected.
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
  /// When waiting ends.
  Instant timeout() const { return since_ + kTimeout; }
  /// Whatever was missed is not waited for any more.
  void Reset() {
    creations_ = 0;
    deletions_.clear();
  }

 private:
  std::size_t creations_ = 0;
  std::set<std::string, std::less<>> deletions_;  // uids
  Instant since_{};
};

}  // namespace plimsoll::controller
