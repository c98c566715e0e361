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

/// Several controllers as one core, so that they share a thread and what is known of the cluster.
/// Each is told of the kinds that it watches and of the outcomes of its own actions, in the order
/// in which they were added.
class ControllerSet {
 public:
  struct Watched {
    const api::KindDesc* kind = nullptr;
    std::vector<std::string_view> unread;  // by every one that watches it
  };

  /// Before anything is observed.
  void Add(std::unique_ptr<Controller> controller);

  /// Every kind that one of them watches, once.
  const std::vector<Watched>& watched() const { return watched_; }

  // Both throw what the first controller that failed has thrown, after the others were told.
  void Observe(const InputEvent& event, Instant now, Actions& out);
  void Wake(Instant now, Actions& out);
  std::optional<Instant> NextWake() const;

 private:
  /// Calls `tell(controller)`, and makes the actions that it added to `out` known as that one's.
  template <class Tell>
  void Ask(std::size_t index, Actions& out, const Tell& tell);
  void ThrowFault();

  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<Watched> watched_;
  std::exception_ptr fault_;
  // By type, which all versions of a kind share: a server may have another than was asked for
  // first.
  std::map<const api::TypeDesc*, std::vector<std::size_t>> watchers_;
};

}  // namespace plimsoll::controller
