#pragma once

#include <cstdint>
#include <string>

#include "api/object.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/write/delete_options.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// What a delete comes to, given the object.
struct DeletionPlan {
  enum class Step : std::uint8_t {
    Keep,  // it is on its way out already
    Mark,  // it is told to go, and goes when its grace is over and its finalizers are gone
    MarkThenRemove,  // who watches sees it told to go, and then gone
    Remove,
  };
  Step step = Step::Remove;
  std::string marked;  // for the marking steps: what to commit
};

/// Pure: upstream's rules of grace periods, finalizers and what becomes of dependents.
DeletionPlan PlanDeletion(const Resource& resource, const api::Object& object,
                          const DeleteOptions& options, Instant now);

}  // namespace plimsoll::apiserver
