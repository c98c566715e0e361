#include "controller/volume/volume_binder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/overloaded.h"
#include "controller/limits.h"
#include "match/volume_claim.h"

namespace plimsoll::controller {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;

}  // namespace

VolumeBinder::Key VolumeBinder::KeyOfObject(const api::Object& object) {
  return {object.As<PersistentVolumeClaim>() != nullptr, KeyOf(object.metadata())};
}

std::span<const WatchedKind> VolumeBinder::watched() const {
  static constexpr std::array kWatched = {
      WatchedKind{"", "v1", "PersistentVolume"}, WatchedKind{"", "v1", "PersistentVolumeClaim"},
      WatchedKind{"storage.k8s.io", "v1", "StorageClass"}, WatchedKind{"", "v1", "Pod"}};
  return kWatched;
}

void VolumeBinder::Observe(const CoreInput& event, const Turn& turn) {
  std::visit(Overloaded{[&](const ObjectChanged& change) { OnChange(change); },
                        [&](const ActionFinished& finished) { Finish(finished, turn.now); },
                        [&](const Synced&) { is_synced_ = true; }},
             event);
  Run(turn);
}

void VolumeBinder::Wake(const Turn& turn) {
  while (!due_.empty() && due_.begin()->first <= turn.now) {
    const Key key = due_.begin()->second;
    due_.erase(due_.begin());
    retries_[key].due.reset();
    dirty_.insert(key);
    if (const ObjectPtr volume = key.is_claim ? nullptr : volumes_.Find(key.name.second)) {
      MarkClaimsOf(volume);
    }
  }
  Run(turn);
}

std::optional<Instant> VolumeBinder::NextWake() const {
  return due_.empty() ? std::nullopt : std::optional(due_.begin()->first);
}

void VolumeBinder::OnChange(const ObjectChanged& event) {
  const api::Object& any = event.new_object != nullptr ? *event.new_object : *event.old_object;
  if (any.As<PersistentVolume>() != nullptr) {
    OnVolumeChange(event.old_object, event.new_object);
  } else if (any.As<PersistentVolumeClaim>() != nullptr) {
    OnClaimChange(event.old_object, event.new_object);
  } else if (any.As<api::StorageClass>() != nullptr) {
    OnClassChange(event.old_object, event.new_object);
  } else if (any.As<api::Pod>() != nullptr) {
    MarkClaims(claims_.PutPod(any.metadata(), event.new_object));
  }
}

void VolumeBinder::MarkClaims(const std::vector<ClaimKey>& claims) {
  for (const ClaimKey& claim : claims) dirty_.insert(ClaimKeyed(claim));
}

/// Queues all claims that may be affected by the volume.
void VolumeBinder::MarkClaimsOf(const ObjectPtr& volume) {
  const auto& view = *volume->As<PersistentVolume>();
  MarkClaims(claims_.Naming(view.metadata.name));
  if (const auto& claim = view.spec.claim_ref) {
    dirty_.insert(ClaimKeyed({std::string(claim->namespace_), std::string(claim->name)}));
  } else if (view.phase == "Available") {
    MarkClaims(claims_.UnboundOf(match::ClassOf(view)));
  }
}

void VolumeBinder::OnVolumeChange(const ObjectPtr& before, const ObjectPtr& now) {
  if (before != nullptr) MarkClaimsOf(before);
  if (now != nullptr) MarkClaimsOf(now);
  const Key key = VolumeKey((now != nullptr ? now : before)->metadata().name);
  if (now == nullptr) {
    volumes_.Erase(before->metadata().name);
    Forget(key);
    return;
  }
  EndWrite(key, now);
  volumes_.Put(now);
  dirty_.insert(key);
}

void VolumeBinder::OnClaimChange(const ObjectPtr& before, const ObjectPtr& now) {
  const ClaimKey name = KeyOf((now != nullptr ? now : before)->metadata());
  for (const std::string& volume : volumes_.ReservedFor(name)) dirty_.insert(VolumeKey(volume));
  for (const ObjectPtr& object : {before, now}) {
    if (object == nullptr) continue;
    const std::string_view volume = object->As<PersistentVolumeClaim>()->spec.volume_name;
    if (!volume.empty()) dirty_.insert(VolumeKey(volume));
  }
  const Key key = ClaimKeyed(name);
  if (now == nullptr) {
    claims_.Erase(name);
    Forget(key);
    return;
  }
  EndWrite(key, now);
  claims_.Put(now);
  dirty_.insert(key);
}

void VolumeBinder::OnClassChange(const ObjectPtr& before, const ObjectPtr& now) {
  const std::string name((now != nullptr ? now : before)->metadata().name);
  if (now == nullptr) {
    classes_.erase(name);
  } else {
    classes_[name] = now;
  }
  MarkClaims(claims_.UnboundOf(name));
  MarkClaims(claims_.UnboundOf({}));  // it may have become the default class
}

/// Drops the state of a deleted object, including its writes in flight.
void VolumeBinder::Forget(const Key& key) {
  const auto write = writes_.find(key);
  if (write != writes_.end()) {
    keys_of_writes_.erase(write->second.id);
    writes_.erase(write);
  }
  CancelRetry(key);
  told_.erase(key);
}

void VolumeBinder::CancelRetry(const Key& key) {
  const auto retry = retries_.find(key);
  if (retry == retries_.end()) return;
  if (retry->second.due) due_.erase({*retry->second.due, key});
  retries_.erase(retry);
}

/// If the version differs from the one that was patched, the patch has either succeeded or will
/// fail with Conflict. In both cases the new version is used.
void VolumeBinder::EndWrite(const Key& key, const ObjectPtr& object) {
  CancelRetry(key);  // the new version may have removed the obstacle
  const auto write = writes_.find(key);
  if (write == writes_.end()) return;
  const api::ObjectMeta& seen = write->second.object->metadata();
  if (seen.uid == object->metadata().uid &&
      seen.resource_version == object->metadata().resource_version) {
    return;
  }
  keys_of_writes_.erase(write->second.id);
  writes_.erase(write);
}

void VolumeBinder::Finish(const ActionFinished& event, Instant now) {
  const auto found = keys_of_writes_.find(event.id);
  if (found == keys_of_writes_.end()) return;
  const Key key = found->second;
  if (event.status) {
    // The old version must not be used until the watch event of the new one arrives.
    CancelRetry(key);
    return;
  }
  keys_of_writes_.erase(found);
  writes_.erase(key);
  if (!key.is_claim) volumes_.Release(key.name.second);
  Retry& retry = retries_[key];
  retry.wait =
      retry.wait == Duration::zero() ? kRetryMin : std::min(retry.wait * 2, kVolumeRetryMax);
  retry.due = now + retry.wait;
  due_.insert({*retry.due, key});
}

void VolumeBinder::Run(const Turn& turn) {
  if (!is_synced_) return;
  while (!dirty_.empty()) {
    const Key key = *dirty_.begin();
    dirty_.erase(dirty_.begin());
    const auto retry = retries_.find(key);
    if (retry != retries_.end() && retry->second.due) continue;
    if (key.is_claim) {
      if (const ObjectPtr claim = claims_.Find(key.name)) SyncClaim(claim, turn);
    } else {
      if (const ObjectPtr volume = volumes_.Find(key.name.second)) SyncVolume(volume, turn);
    }
  }
}

ActionId VolumeBinder::Begin(const Key& key, const ObjectPtr& object) {
  const ActionId id = next_id_++;
  writes_[key] = {id, object};
  keys_of_writes_[id] = key;
  return id;
}

bool VolumeBinder::Patch(const ObjectPtr& object, std::string_view subresource, std::string patch,
                         const Turn& turn) {
  const Key key = KeyOfObject(*object);
  if (writes_.contains(key)) return true;
  if (patch.empty()) return false;
  turn.Do(PatchObject{.id = Begin(key, object),
                      .object = object,
                      .subresource = subresource,
                      .body = std::move(patch)});
  return true;
}

void VolumeBinder::Record(const ObjectPtr& about, EventType type, std::string_view reason,
                          std::string message, const Turn& turn) {
  const Key key = KeyOfObject(*about);
  std::string text = std::string(reason) + " " + message;
  if (told_[key] == text) return;
  told_[key] = std::move(text);
  turn.Do(RecordEvent{about, type, std::string(reason), std::move(message)});
}

const api::StorageClass* VolumeBinder::FindClass(std::string_view name) const {
  const auto at = classes_.find(name);
  return at == classes_.end() ? nullptr : at->second->As<api::StorageClass>();
}

}  // namespace plimsoll::controller
