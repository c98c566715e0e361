#include "controller/workload/revision_history.h"

#include <algorithm>
#include <tuple>

#include "codec/json.h"
#include "controller/workload/owned_pods.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/template_hash.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

std::string OwnerUid(const ObjectPtr& object) {
  const api::OwnerReference* const owner =
      object == nullptr ? nullptr : ControllerOf(object->metadata());
  return owner == nullptr ? std::string() : std::string(owner->uid);
}

/// Returns true if the revision stores this template.
bool KeepsTemplate(const api::Object& revision, const codec::Value& pod_template) {
  const codec::Value* const kept = RevisionTemplate(revision);
  if (kept == nullptr) return false;
  std::size_t count = 0;
  for (const codec::Member& member : kept->members()) {
    if (member.key == "$patch") continue;
    const codec::Value* const own = pod_template.Find(member.key);
    if (own == nullptr || !(*own == member.value)) return false;
    ++count;
  }
  return count == pod_template.members().size();
}

/// Returns a merge patch that changes the revision's number.
std::string RevisionNumberPatch(const api::Object& revision, std::int64_t number) {
  return JsonText()
      .Raw("metadata", JsonText()
                           .Text("uid", revision.metadata().uid)
                           .Text("resourceVersion", revision.metadata().resource_version)
                           .Done())
      .Int("revision", number)
      .Done();
}

}  // namespace

std::pair<std::string, std::string> RevisionHistory::OnChange(const ObjectChanged& change) {
  const ObjectPtr& any = change.new_object ? change.new_object : change.old_object;
  const Key key(any->metadata().namespace_, any->metadata().name);
  std::string old_owner = OwnerUid(change.old_object);
  std::string new_owner = OwnerUid(change.new_object);
  if (!old_owner.empty()) {
    std::set<Key>& keys = by_owner_[old_owner];
    keys.erase(key);
    if (keys.empty()) by_owner_.erase(old_owner);
  }
  if (change.new_object == nullptr) {
    revisions_.erase(key);
  } else {
    revisions_[key] = change.new_object;
    if (!new_owner.empty()) by_owner_[new_owner].insert(key);
  }
  return {std::move(old_owner), std::move(new_owner)};
}

Revisions RevisionHistory::Of(std::string_view owner_uid, const codec::Value& pod_template) const {
  Revisions revisions;
  const auto keys = by_owner_.find(owner_uid);
  if (keys == by_owner_.end()) return revisions;
  for (const Key& key : keys->second) revisions.old.push_back(revisions_.at(key));
  const auto rank = [](const ObjectPtr& revision) {
    return std::tuple(RevisionNumber(*revision), CreationTime(revision->metadata()),
                      revision->metadata().name);
  };
  std::ranges::sort(revisions.old, {}, rank);
  for (auto at = revisions.old.end(); at != revisions.old.begin();) {
    --at;
    if (!KeepsTemplate(**at, pod_template)) continue;
    revisions.current = *at;
    revisions.old.erase(at);
    break;
  }
  if (!revisions.old.empty()) revisions.next = RevisionNumber(*revisions.old.back()) + 1;
  return revisions;
}

ObjectPtr RevisionHistory::Find(std::string_view namespace_, std::string_view name) const {
  const auto at = revisions_.find({std::string(namespace_), std::string(name)});
  return at == revisions_.end() ? nullptr : at->second;
}

bool NeedsRevision(const Revisions& revisions) {
  return revisions.current == nullptr || RevisionNumber(*revisions.current) < revisions.next;
}

Action WriteRevision(const api::Object& owner, const Revisions& revisions,
                     std::string_view hash_label, ActionId id, PendingRevision& pending) {
  pending.write = id;
  if (revisions.current != nullptr) {  // rolled back to an old template
    return PatchObject{.id = id,
                       .object = revisions.current,
                       .body = RevisionNumberPatch(*revisions.current, revisions.next)};
  }
  const codec::Value* const collisions = FindAt(owner.tree(), {"status", "collisionCount"});
  const std::string hash = TemplateHash(*FindAt(owner.tree(), {"spec", "template"}),
                                        collisions != nullptr && collisions->is_int()
                                            ? std::optional(collisions->AsInt())
                                            : std::nullopt);
  pending.name = std::string(owner.metadata().name) + "-" + hash;
  return CreateObject{.id = id,
                      .object = api::ObjectRef(*api::FindKind("apps", "v1", "ControllerRevision"),
                                               owner.metadata().namespace_),
                      .body = RevisionJson(owner, pending.name, hash_label, hash, revisions.next)};
}

RevisionFault JudgeRevision(const RevisionHistory& history, const api::Object& owner,
                            std::string_view name, const Error& error) {
  const ObjectPtr known = history.Find(owner.metadata().namespace_, name);
  if (error.reason != Reason::AlreadyExists || known == nullptr) return RevisionFault::Retry;
  const codec::Value* const pod_template = FindAt(owner.tree(), {"spec", "template"});
  if (!KeepsTemplate(*known, *pod_template)) return RevisionFault::Collide;
  const api::OwnerReference* const controller = ControllerOf(known->metadata());
  if (controller == nullptr) return RevisionFault::Orphan;
  return controller->uid == owner.metadata().uid ? RevisionFault::Retry : RevisionFault::Collide;
}

std::int64_t RevisionNumber(const api::Object& revision) {
  return IntAt(revision.tree(), {"revision"});
}

const codec::Value* RevisionTemplate(const api::Object& revision) {
  return FindAt(revision.tree(), {"data", "spec", "template"});
}

std::string RevisionJson(const api::Object& owner, std::string_view name,
                         std::string_view hash_label, std::string_view hash, std::int64_t number) {
  const codec::Value* const pod_template = FindAt(owner.tree(), {"spec", "template"});
  JsonText labels;
  JsonText kept;
  if (pod_template != nullptr) {
    for (const auto& [key, value] : TemplateLabels(*pod_template)) labels.Text(key, value);
    for (const codec::Member& member : pod_template->members()) {
      kept.Raw(member.key, codec::WriteJson(member.value));
    }
  }
  labels.Text(hash_label, hash);
  kept.Text("$patch", "replace");
  JsonText annotations;
  for (const auto& [key, value] : owner.metadata().annotations) annotations.Text(key, value);
  JsonText metadata;
  metadata.Text("name", name)
      .Text("namespace", owner.metadata().namespace_)
      .Raw("labels", labels.Done());
  if (!annotations.empty()) metadata.Raw("annotations", annotations.Done());
  metadata.Raw("ownerReferences", "[" + ControllerReferenceJson(owner) + "]");
  const std::string spec = JsonText().Raw("template", kept.Done()).Done();
  return JsonText()
      .Text("apiVersion", "apps/v1")
      .Text("kind", "ControllerRevision")
      .Raw("metadata", metadata.Done())
      .Raw("data", JsonText().Raw("spec", spec).Done())
      .Int("revision", number)
      .Done();
}

}  // namespace plimsoll::controller
