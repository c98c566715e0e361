#pragma once

#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "controller/controller.h"

namespace plimsoll::controller {

/// Combines several controllers into one core, so that they share a thread and informers. Each
/// controller gets events of the kinds that it watches and outcomes of its own actions. Controllers
/// are called in the order in which they were added.
class ControllerSet {
 public:
  struct Watched {
    const api::KindDesc* kind = nullptr;
    std::vector<std::string_view> unread;  // fields that none of its watchers reads
  };

  /// Adds a controller. REQUIRES: no event has been observed yet.
  void Add(std::unique_ptr<Controller> controller);

  /// Returns every kind that at least one controller watches, without duplicates.
  const std::vector<Watched>& watched() const { return watched_; }

  // Both rethrow the first exception of a controller, after all controllers were called.
  void Observe(const InputEvent& event, Instant now, Actions& out);
  void Wake(Instant now, Actions& out);
  std::optional<Instant> NextWake() const;

 private:
  /// Calls `tell(controller)` and marks the actions that it adds to `out` as its own.
  template <class Tell>
  void Ask(std::size_t index, Actions& out, const Tell& tell);
  void ThrowFault();

  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<Watched> watched_;
  std::exception_ptr fault_;
  // Keyed by type, which all versions of a kind share: the server may send another version than the
  // one requested first.
  std::map<const api::TypeDesc*, std::vector<std::size_t>> watchers_;
};

}  // namespace plimsoll::controller
