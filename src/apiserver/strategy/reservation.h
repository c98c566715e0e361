#pragma once

#include <functional>
#include <utility>

namespace plimsoll::apiserver {

/// A value that no other request gets. Its destructor releases it. Movable, not copyable.
class Reservation {
 public:
  /// Reserves nothing.
  Reservation() = default;
  explicit Reservation(std::move_only_function<void()> release) : release_(std::move(release)) {}
  ~Reservation() {
    if (release_) release_();
  }
  Reservation(Reservation&& other) noexcept : release_(std::exchange(other.release_, nullptr)) {}
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(release_, other.release_);
    return *this;
  }

 private:
  std::move_only_function<void()> release_;  // null: nothing to release
};

}  // namespace plimsoll::apiserver
