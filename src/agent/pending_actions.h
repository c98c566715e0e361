#pragma once

#include <map>
#include <optional>
#include <utility>

#include "agent/runtime.h"

namespace plimsoll::agent {

/// Actions in flight of one part of the agent, each with what the part must know when it finishes.
/// All parts draw their ids from one counter, so each outcome belongs to one part.
template <class Context>
class PendingActions {
 public:
  /// `next_action` must outlive this object.
  explicit PendingActions(ActionId& next_action) : next_action_(next_action) {}

  /// Returns the id of a new action.
  ActionId Begin(Context context) {
    pending_.emplace_hint(pending_.end(), next_action_, std::move(context));
    return next_action_++;
  }
  /// Ends an action. Returns nothing if it is not one of these, or was cancelled.
  std::optional<Context> Finish(ActionId id) {
    const auto at = pending_.find(id);
    if (at == pending_.end()) return std::nullopt;
    Context context = std::move(at->second);
    pending_.erase(at);
    return context;
  }
  /// Ignores the outcome of an action, if it is in flight.
  void Cancel(ActionId id) { pending_.erase(id); }

 private:
  ActionId& next_action_;
  std::map<ActionId, Context> pending_;
};

}  // namespace plimsoll::agent
