#pragma once

#include <cstdint>
#include <string>

#include "api/object.h"
#include "base/time.h"

/// The taints that follow from what a node's conditions say.
namespace plimsoll::controller {

/// What is wanted of the NoExecute taints not-ready and unreachable.
enum class NoExecuteWish : std::uint8_t {
  Keep,    // whatever is there
  Absent,  // neither
  Mirror,  // the one that Ready calls for: not-ready for False, unreachable for Unknown
};

/// Whether the node has one of the two.
bool HasNoExecuteTaint(const api::Object& node);

/// A merge patch of the node's taints, refused by the server if the node has changed since: those
/// NoSchedule taints that the conditions and `unschedulable` call for, no others of their keys, and
/// the NoExecute taint as wished. All else stays. Empty when it is all so.
std::string TaintsPatch(const api::Object& node, NoExecuteWish wish, Instant now);

}  // namespace plimsoll::controller
