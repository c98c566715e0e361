#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/strategy/object_editor.h"
#include "apiserver/write/write_target.h"
#include "base/time.h"

/// Steps of the write path that change metadata.
namespace plimsoll::apiserver {

/// Removes fields of a new object that only the server may set: uid, timestamps, selfLink.
void WipeSystemFields(const ObjectEditor& object);

/// Sets the namespace to the request's, or none for cluster-scoped kinds. Fails with BadRequest if
/// the object has another.
api::Answer<void> SetNamespace(const WriteTarget& target, const ObjectEditor& object);

/// Checks that the object has the name in the path. Fails with BadRequest.
api::Answer<void> CheckName(const WriteTarget& target, const ObjectEditor& object);

/// Removes duplicate owner references, with a warning.
void DropDuplicateOwners(const WriteTarget& target, const ObjectEditor& object,
                         bool is_after_admission);

/// Removes empty maps and lists. A client that removes the last label leaves an empty map, which
/// other clients must not see.
void DropEmptyFields(const ObjectEditor& object);

/// Sets uid and creationTimestamp of a new object.
void FillSystemFields(const ObjectEditor& object, std::string_view uid, Instant now);

/// Restores fields that an update cannot change: generation, creationTimestamp and the deletion
/// fields. Also restores the uid, which an update may omit.
void KeepSystemFields(const ObjectEditor& object, const codec::Value& before);

/// Returns the number in resourceVersion, 0 when there is none, and a refusal for a text that is no
/// number.
api::Answer<std::uint64_t> ResourceVersionOf(const codec::Value& tree);

/// Returns true if the update changes only times in managedFields, so it need not be written.
bool IsUnchanged(const codec::Value& now, const codec::Value& before);

/// Returns true if the object can be removed: it is being deleted, its grace period is 0, and it
/// has no finalizers.
bool CanBeRemoved(const WriteTarget& target, const codec::Value& now, const codec::Value& before);

}  // namespace plimsoll::apiserver
