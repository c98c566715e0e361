#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/strategy/place.h"
#include "apiserver/write/write_target.h"
#include "base/time.h"

/// What the server does to the metadata of an object on its way into the store.
namespace plimsoll::apiserver {

/// Takes out what only the server may say of a new object: uid, times, selfLink.
void WipeSystemFields(const Place& object);

/// The object's namespace is the request's; none for cluster-wide kinds. BadRequest when it says
/// another.
api::Answer<void> SettleNamespace(const WriteTarget& target, const Place& object);

/// The object's name is that of the path. BadRequest.
api::Answer<void> CheckName(const WriteTarget& target, const Place& object);

/// Removes owner references that stand twice, with a warning.
void DropDoubleOwners(const WriteTarget& target, const Place& object, bool is_after_admission);

/// Removes maps and lists with nothing in them: a client that takes the last label away leaves an
/// empty map, and nobody else shall see that.
void DropEmptyFields(const Place& object);

/// uid and creationTimestamp of an object that is about to be.
void FillSystemFields(const Place& object, std::string_view uid, Instant now);

/// What an update cannot change, whatever it says: generation, creationTimestamp, the marks of a
/// running deletion; and what it need not repeat: the uid.
void KeepSystemFields(const Place& object, const codec::Value& before);

/// The number in resourceVersion, 0 when there is none. Upstream's answer to what is no number.
api::Answer<std::uint64_t> ResourceVersionOf(const codec::Value& tree);

/// Whether an update changes nothing but the times in managedFields, and so need not be written.
bool IsUnchanged(const codec::Value& now, const codec::Value& before);

/// Whether the object has nothing left that keeps it: it is being deleted, its time is up, and it
/// has no finalizers.
bool IsReadyToGo(const WriteTarget& target, const codec::Value& now, const codec::Value& before);

}  // namespace plimsoll::apiserver
