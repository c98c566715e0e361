#pragma once

#include <cstdint>
#include <memory>

#include "api/object.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/write/delete_options.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// Effect of a delete on an object.
struct DeletionPlan {
  enum class Step : std::uint8_t {
    Keep,            // it is already being deleted
    Mark,            // sets deletionTimestamp; it is removed after its grace period and finalizers
    MarkThenRemove,  // marks it first, so that watches see both changes
    Remove,
  };
  Step step = Step::Remove;
  std::shared_ptr<codec::Document> marked = {};  // object to commit for the marking steps
};

/// Applies upstream's rules for grace periods, finalizers and dependents. Pure.
DeletionPlan PlanDeletion(const Resource& resource, const api::Object& object,
                          const DeleteOptions& options, Instant now);

}  // namespace plimsoll::apiserver
