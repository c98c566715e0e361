#pragma once

namespace plimsoll::apiserver {

/// While a WaitBan exists, its thread must not wait for a remote server, because it serves other
/// requests. Authentication and authorization first run under a ban, and the cache usually has
/// their answer. Code that would have to wait calls Forbids() and returns any answer. The owner of
/// the ban discards that answer and asks again on a thread that may wait.
class WaitBan {
 public:
  WaitBan() : outer_(current_) { current_ = this; }
  ~WaitBan() { current_ = outer_; }
  WaitBan(const WaitBan&) = delete;
  WaitBan& operator=(const WaitBan&) = delete;

  /// True if code under the ban would have had to wait. Its results must be discarded.
  bool was_hit() const { return was_hit_; }

  /// Call this before a wait. If it returns true, the caller must not wait; the ban records it.
  static bool Forbids() {
    if (current_ == nullptr) return false;
    current_->was_hit_ = true;
    return true;
  }
  /// Returns true if a ban of this thread was hit.
  static bool IsHit() { return current_ != nullptr && current_->was_hit_; }

 private:
  static inline thread_local WaitBan* current_ = nullptr;

  WaitBan* const outer_;
  bool was_hit_ = false;
};

}  // namespace plimsoll::apiserver
