#pragma once

#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "controller/controller.h"

namespace plimsoll::controller {

/// Combines several controllers into one core, so that they share a thread and informers. Each
/// controller gets events of the kinds that it watches and outcomes of its own actions. Controllers
/// are called in the order in which they were added.
class ControllerSet : public api::PureCore {
 public:
  /// Adds a controller. REQUIRES: no event has been observed yet.
  void Add(std::unique_ptr<Controller> controller);

  /// Returns every kind that at least one controller watches, without duplicates. Unread are the
  /// fields that none of its watchers reads.
  std::span<const WatchedKind> watched() const override { return watched_; }

  // Both rethrow the first exception of a controller, after all controllers were called.
  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

 private:
  /// Runs `call(controller)` and marks the actions that it requests as its own.
  template <class Call>
  void CallOne(std::size_t index, const Turn& turn, const Call& call);
  void ThrowFault();

  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<WatchedKind> watched_;
  std::vector<std::vector<std::string_view>> unread_;  // of each element of watched_
  std::exception_ptr fault_;
  // Keyed by type, which all versions of a kind share: the server may send another version than the
  // one requested first.
  std::map<const api::TypeDesc*, std::vector<std::size_t>> watchers_;
};

}  // namespace plimsoll::controller
