#pragma once

namespace plimsoll::apiserver {

/// While one lives, its thread must not wait for another server, because it has other requests to
/// serve. Authentication and authorization run under a ban first and find nearly every answer in
/// memory. Whoever would have to wait says so and gives any answer, which the owner of the ban
/// throws away to ask again on a thread that may wait.
class WaitBan {
 public:
  WaitBan() : outer_(current_) { current_ = this; }
  ~WaitBan() { current_ = outer_; }
  WaitBan(const WaitBan&) = delete;
  WaitBan& operator=(const WaitBan&) = delete;

  /// Somebody would have had to wait: what was found out under the ban does not count.
  bool was_hit() const { return was_hit_; }

  /// For whoever is about to wait. True: it must not, and the ban has noted it.
  static bool Forbids() {
    if (current_ == nullptr) return false;
    current_->was_hit_ = true;
    return true;
  }
  /// Whether a ban of this thread was hit.
  static bool IsHit() { return current_ != nullptr && current_->was_hit_; }

 private:
  static inline thread_local WaitBan* current_ = nullptr;

  WaitBan* const outer_;
  bool was_hit_ = false;
};

}  // namespace plimsoll::apiserver
