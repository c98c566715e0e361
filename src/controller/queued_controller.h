#pragma once

#include <optional>
#include <variant>

#include "base/overloaded.h"
#include "controller/controller.h"

namespace plimsoll::controller {

/// A controller that records events in a queue and then processes the keys that are due. It
/// processes nothing before the initial lists are complete.
class QueuedController : public Controller {
 public:
  void Observe(const CoreInput& event, const Turn& turn) final {
    std::visit(Overloaded{[&](const ObjectChanged& change) { OnChange(change, turn.now); },
                          [&](const ActionFinished& finished) { Finish(finished, turn); },
                          [&](const Synced&) {
                            is_synced_ = true;
                            Start();
                          }},
               event);
    Wake(turn);
  }
  void Wake(const Turn& turn) final {
    if (is_synced_) Run(turn);
  }
  std::optional<Instant> NextWake() const final { return is_synced_ ? NextDue() : std::nullopt; }

 protected:
  bool is_synced() const { return is_synced_; }

 private:
  virtual void OnChange(const ObjectChanged& change, Instant now) = 0;
  virtual void Finish(const ActionFinished& finished, const Turn& turn) = 0;
  /// Called once, when the initial lists are complete.
  virtual void Start() {}
  /// Processes all keys that are due.
  virtual void Run(const Turn& turn) = 0;
  /// Returns when the next key is due, or nothing if the queue is empty.
  virtual std::optional<Instant> NextDue() const = 0;

  bool is_synced_ = false;
};

}  // namespace plimsoll::controller
