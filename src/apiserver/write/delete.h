#pragma once

#include <string>

#include "apiserver/write/delete_options.h"
#include "apiserver/write/deletion_plan.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// Result of a delete.
struct Deleted {
  ObjectPtr object;      // current object, or its last state
  std::string json;      // after a dry run that would have marked the object: its new JSON
  bool is_gone = false;  // or would be gone, after a dry run
};

/// Deletes one object by upstream's rules for grace periods, finalizers and dependents. Fails with
/// NotFound, or with Conflict if a precondition does not hold. Runs admission with the stored
/// object, also for evictions.
api::Answer<Deleted> DeleteObject(Writer& writer, const WriteTarget& target,
                                  const DeleteOptions& options);

/// Steps of a delete, also for deletecollection.
api::Answer<void> CheckPreconditions(const WriteTarget& target, const DeleteOptions& options,
                                     std::string_view uid, std::string_view version);
/// Returns the resourceVersion.
std::string VersionOf(const StoredObject& object);
Deleted DryRun(const DeletionPlan& plan, const ObjectPtr& current);
WriteTarget DeleteTarget(ApiRequest& request, const DeleteOptions& options);

}  // namespace plimsoll::apiserver
