#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/time.h"
#include "controller/controller.h"

namespace plimsoll::controller {

/// The EvictionRequests (lifecycle.k8s.io) of our evictors: one per pod, named after its uid. Keeps
/// their intents as wanted, with retries.
class EvictionRequests {
 public:
  static constexpr std::string_view kRequester = "plimsoll.io/taint-eviction";

  /// Asks for the eviction of the pod, or takes the request back.
  void Want(const ObjectPtr& pod, bool is_wanted);
  /// Forgets the pod, which is gone.
  void Forget(std::string_view uid);

  /// Writes what is due. Actions get the ids after `last_action`, which is updated.
  void Run(const Turn& turn, ActionId& last_action);
  /// Returns false if the action is none of these.
  bool Finish(const ActionFinished& finished, const Turn& turn);
  std::optional<Instant> NextWake() const;

 private:
  struct Request {
    ObjectPtr pod;
    bool is_wanted = true;
    ActionId write = 0;
    Instant retry_at = Instant::min();
    Duration wait{};
  };

  std::map<std::string, Request, std::less<>> requests_;  // by uid of the pod
  std::set<std::string> due_;  // uids of pods whose requests must be written
  std::map<ActionId, std::string> writes_;
};

}  // namespace plimsoll::controller
