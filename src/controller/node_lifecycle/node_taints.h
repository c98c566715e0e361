#pragma once

#include <cstdint>
#include <string>

#include "api/object.h"
#include "base/time.h"

/// Taints that follow from a node's conditions.
namespace plimsoll::controller {

/// Desired state of the NoExecute taints not-ready and unreachable.
enum class NoExecuteWish : std::uint8_t {
  Keep,    // as they are
  Absent,  // neither
  Mirror,  // as Ready requires: not-ready for False, unreachable for Unknown
};

/// Returns true if the node has one of the two.
bool HasNoExecuteTaint(const api::Object& node);

/// Returns a merge patch of the node's taints, which fails with Conflict if the node has changed.
/// It sets the NoSchedule taints from conditions and `unschedulable`, removes stale ones, and
/// applies `wish`. Other taints stay. Returns "" if nothing changes.
std::string TaintsPatch(const api::Object& node, NoExecuteWish wish, Instant now);

}  // namespace plimsoll::controller
