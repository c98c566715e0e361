#pragma once

#include <string>

#include "apiserver/write/delete_options.h"
#include "apiserver/write/deletion_plan.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// What became of a delete.
struct Deleted {
  ObjectPtr object;      // as it is now, or last was
  std::string json;      // after a dry run that would have marked it: how
  bool is_gone = false;  // or would be, after a dry run
};

/// Deletes one object by upstream's rules: grace, finalizers, dependents. NotFound; Conflict when
/// the preconditions do not hold. Runs the admission chain with the stored object, for evictions
/// too.
api::Answer<Deleted> DeleteObject(Writer& writer, const WriteTarget& target,
                                  const DeleteOptions& options);

/// The parts of it, for deletes of many.
api::Answer<void> CheckPreconditions(const WriteTarget& target, const DeleteOptions& options,
                                     std::string_view uid, std::string_view version);
/// Its resourceVersion.
std::string VersionOf(const StoredObject& object);
Deleted DryRun(const DeletionPlan& plan, const ObjectPtr& current);
WriteTarget DeleteTarget(ApiRequest& request, const DeleteOptions& options);

}  // namespace plimsoll::apiserver
