#pragma once

#include <set>
#include <string>

#include "agent/pod_life.h"
#include "agent/records.h"
#include "agent/token_bucket.h"

namespace plimsoll::agent {

/// Records Events of all nodes of an agent. Normal events are limited in rate; warnings are not.
/// A node that is silent records none.
class EventRecorder {
 public:
  /// `per_second` 0: no Normal events.
  EventRecorder(double per_second, double burst) : tokens_(per_second, burst) {}

  /// Records an event about a pod or a node. `field_path` names the container, or is empty.
  void Record(const ObjectPtr& regarding, const NodeRecord& node, LifeEvent event,
              std::string field_path, const Turn& turn);
  /// Warns of annotations with the deprecated prefix, once for each key.
  void WarnOfDeprecatedAnnotations(const ObjectPtr& regarding, const NodeRecord& node,
                                   const Turn& turn);

 private:
  TokenBucket tokens_;
  std::set<std::string, std::less<>> deprecated_keys_;  // reported ones
};

}  // namespace plimsoll::agent
