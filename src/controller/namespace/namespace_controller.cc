#include "controller/namespace/namespace_controller.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "base/go_text.h"
#include "codec/json.h"
#include "controller/workload/condition.h"
#include "controller/workload/deletable_kinds.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kFinalizer = "kubernetes";

bool HasVerb(const api::KindDesc& kind, std::string_view verb) {
  return std::ranges::find(kind.verbs, verb) != kind.verbs.end();
}

bool IsHeld(const api::Object& object) {
  const codec::Value* const finalizers = FindAt(object.tree(), {"spec", "finalizers"});
  if (finalizers == nullptr) return false;
  return std::ranges::any_of(finalizers->items(), [](const codec::Value& finalizer) {
    return finalizer.is_string() && finalizer.text() == kFinalizer;
  });
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// Sets the condition if its status, reason or message differs.
void Note(WorkloadConditions& conditions, std::string_view type, bool is_true,
          std::string_view reason, std::string message, Instant now) {
  const std::string_view status = is_true ? "True" : "False";
  const WorkloadCondition* const known = conditions.Find(type);
  if (known != nullptr && known->status == status && known->reason == reason &&
      known->message == message) {
    return;
  }
  const bool is_kept = known != nullptr && known->status == status;
  conditions.Set({.type = std::string(type),
                  .status = std::string(status),
                  .reason = std::string(reason),
                  .message = std::move(message),
                  .last_transition_time = is_kept ? known->last_transition_time : FormatTime(now)});
}

}  // namespace

NamespaceController::NamespaceController()
    : namespace_kind_(api::FindKind("", "v1", "Namespace")),
      pod_kind_(api::FindKind("", "v1", "Pod")) {
  for (const WatchedKind& watched : DeletableKinds()) {
    const api::KindDesc* const kind = api::FindKind(watched.group, watched.version, watched.kind);
    PL_ASSERT(kind != nullptr);
    if (!kind->is_namespaced) continue;
    watched_.push_back(watched);
    kinds_.push_back(kind);
  }
  watched_.push_back({"", "v1", "Namespace"});
  // Events are not watched, but must be deleted too.
  if (const api::KindDesc* const events = api::FindKind("", "v1", "Event")) {
    kinds_.push_back(events);
  }
}

void NamespaceController::Run(const Turn& turn) {
  while (const std::optional<std::string> name = queue_.Take(turn.now)) {
    const auto at = spaces_.find(*name);
    if (at == spaces_.end()) continue;
    if (!at->second.writes.empty()) {
      at->second.is_stale = true;
      continue;
    }
    at->second.is_stale = false;
    Sync(*name, at->second, turn);
  }
}

void NamespaceController::OnChange(const ObjectChanged& change, Instant now) {
  const ObjectPtr& any = change.new_object ? change.new_object : change.old_object;
  const api::ObjectMeta& metadata = any->metadata();
  if (&any->kind() == namespace_kind_) {
    const std::string name(metadata.name);
    if (change.new_object == nullptr) {
      spaces_.erase(name);
      queue_.Erase(name);
    } else if (!metadata.deletion_timestamp.empty()) {
      Space& space = spaces_[name];
      if (space.object != nullptr && space.object->metadata().uid != metadata.uid) space = {};
      space.object = any;
      queue_.AddAt(name, now);
    }
    return;
  }
  const std::string name(metadata.namespace_);
  if (change.new_object != nullptr) {
    contents_[name][&any->kind()][std::string(metadata.name)] = any;
  } else if (const auto contents = contents_.find(name); contents != contents_.end()) {
    const auto objects = contents->second.find(&any->kind());
    if (objects == contents->second.end()) return;
    objects->second.erase(std::string(metadata.name));
    if (objects->second.empty()) contents->second.erase(objects);
    if (contents->second.empty()) contents_.erase(contents);
  }
  // Only the removal of the last object of a stage matters.
  const auto space = spaces_.find(name);
  if (space != spaces_.end() && !HasContents(name, space->second.stage)) queue_.AddAt(name, now);
}

bool NamespaceController::HasContents(const std::string& name, Stage stage) const {
  const auto contents = contents_.find(name);
  if (contents == contents_.end()) return false;
  return stage == Stage::Rest || contents->second.contains(pod_kind_);
}

ActionId NamespaceController::Begin(const std::string& name, Space& space) {
  const ActionId id = next_id_++;
  writes_[id] = name;
  space.writes.insert(id);
  return id;
}

void NamespaceController::Finish(const ActionFinished& finished, const Turn& turn) {
  const auto write = writes_.find(finished.id);
  if (write == writes_.end()) return;
  const std::string name = std::move(write->second);
  writes_.erase(write);
  const auto at = spaces_.find(name);
  if (at == spaces_.end()) return;
  Space& space = at->second;
  space.writes.erase(finished.id);
  if (finished.id == space.own_write) {
    space.own_write = 0;
    if (!finished.status) queue_.Retry(name, turn.now);
    if (space.is_stale) queue_.AddAt(name, turn.now);
    return;
  }
  if (!finished.status && finished.status.error().reason != Reason::NotFound) {
    space.failures.push_back(finished.status.error().Text());
  }
  if (!space.writes.empty()) return;
  if (space.failures.empty()) {
    queue_.Forget(name);
    queue_.AddAt(name, turn.now);
  } else {
    space.asked.reset();
    queue_.Retry(name, turn.now);
  }
}

void NamespaceController::Sync(const std::string& name, Space& space, const Turn& turn) {
  if (!IsHeld(*space.object)) return;
  if (!space.asked || *space.asked + kRepeat <= turn.now) {
    if (!space.failures.empty()) WriteConditions(name, space, turn);
    if (space.writes.empty()) RequestDeletion(name, space, turn);
    return;
  }
  if (HasContents(name, space.stage)) {
    queue_.AddAt(name, *space.asked + kRepeat);
    WriteConditions(name, space, turn);
  } else if (space.stage == Stage::Pods) {
    space.stage = Stage::Rest;
    RequestDeletion(name, space, turn);
  } else {
    Finalize(name, space, turn);
  }
}

/// Requests the deletion of all objects of the stage. Kinds that do not support deletecollection
/// are deleted object by object.
void NamespaceController::RequestDeletion(const std::string& name, Space& space, const Turn& turn) {
  space.asked = turn.now;
  space.failures.clear();
  const auto ask = [&](const api::KindDesc& kind) {
    if (HasVerb(kind, "deletecollection")) {
      turn.Do(DeleteCollection{.id = Begin(name, space), .objects = api::ObjectRef(kind, name)});
      return;
    }
    const auto contents = contents_.find(name);
    if (contents == contents_.end()) return;
    const auto objects = contents->second.find(&kind);
    if (objects == contents->second.end()) return;
    for (const auto& [object_name, object] : objects->second) {
      if (!object->metadata().deletion_timestamp.empty()) continue;
      turn.Do(DeleteObject{.id = Begin(name, space), .object = object});
    }
  };
  if (space.stage == Stage::Pods) return ask(*pod_kind_);
  for (const api::KindDesc* const kind : kinds_) ask(*kind);
}

void NamespaceController::Finalize(const std::string& name, Space& space, const Turn& turn) {
  JsonText object;
  for (const codec::Member& member : space.object->tree().members()) {
    if (member.key != "spec") {
      object.Raw(member.key, codec::WriteJson(member.value));
      continue;
    }
    JsonText spec;
    for (const codec::Member& field : member.value.members()) {
      if (field.key != "finalizers") {
        spec.Raw(field.key, codec::WriteJson(field.value));
        continue;
      }
      std::string kept;
      for (const codec::Value& finalizer : field.value.items()) {
        if (finalizer.is_string() && finalizer.text() == kFinalizer) continue;
        kept += (kept.empty() ? "" : ",") + codec::WriteJson(finalizer);
      }
      if (!kept.empty()) spec.Raw("finalizers", "[" + kept + "]");
    }
    object.Raw("spec", spec.Done());
  }
  space.own_write = Begin(name, space);
  turn.Do(UpdateObject{.id = space.own_write,
                       .object = space.object,
                       .subresource = "finalize",
                       .body = object.Done()});
}

/// Writes conditions that tell which contents and finalizers block the deletion.
void NamespaceController::WriteConditions(const std::string& name, Space& space, const Turn& turn) {
  std::vector<std::string> remaining;
  std::map<std::string_view, std::int64_t> finalizers;
  const auto contents = contents_.find(name);
  if (contents != contents_.end()) {
    for (const auto& [kind, objects] : contents->second) {
      remaining.push_back(std::string(kind->plural) + "." + std::string(kind->group) + " has " +
                          std::to_string(objects.size()) + " resource instances");
      for (const auto& [object_name, object] : objects) {
        for (const std::string_view finalizer : object->metadata().finalizers) {
          ++finalizers[finalizer];
        }
      }
    }
  }
  std::ranges::sort(remaining);
  WorkloadConditions conditions(*space.object);
  Note(conditions, "NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered",
       "All resources successfully discovered", turn.now);
  Note(conditions, "NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
       "All legacy kube types successfully parsed", turn.now);
  if (space.failures.empty()) {
    Note(conditions, "NamespaceDeletionContentFailure", false, "ContentDeleted",
         "All content successfully deleted, may be waiting on finalization", turn.now);
  } else {
    Note(conditions, "NamespaceDeletionContentFailure", true, "ContentDeletionFailed",
         "Failed to delete all resource types, " + std::to_string(space.failures.size()) +
             " remaining: " + Joined(space.failures),
         turn.now);
  }
  Note(conditions, "NamespaceContentRemaining", !remaining.empty(),
       remaining.empty() ? "ContentRemoved" : "SomeResourcesRemain",
       remaining.empty() ? "All content successfully removed"
                         : "Some resources are remaining: " + Joined(remaining),
       turn.now);
  std::vector<std::string> held;
  for (const auto& [finalizer, count] : finalizers) {
    held.push_back(std::string(finalizer) + " in " + std::to_string(count) + " resource instances");
  }
  Note(conditions, "NamespaceFinalizersRemaining", !held.empty(),
       held.empty() ? "ContentHasNoFinalizers" : "SomeFinalizersRemain",
       held.empty() ? "All content-preserving finalizers finished"
                    : "Some content in the namespace has finalizers remaining: " + Joined(held),
       turn.now);
  if (!conditions.is_changed()) return;
  StatusChange change(*space.object);
  change.Raw("conditions", conditions.Json());
  space.failures.clear();
  space.own_write = Begin(name, space);
  turn.Do(PatchObject{.id = space.own_write,
                      .object = space.object,
                      .subresource = "status",
                      .body = change.Patch()});
}

}  // namespace plimsoll::controller
