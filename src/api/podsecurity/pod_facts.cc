#include "api/podsecurity/pod_facts.h"

#include <algorithm>
#include <array>
#include <map>

#include "codec/value_at.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::array<std::string_view, 3> kContainerLists = {"initContainers", "containers",
                                                             "ephemeralContainers"};
constexpr std::string_view kPodSeccomp = "seccomp.security.alpha.kubernetes.io/pod";
constexpr std::string_view kContainerSeccomp = "container.seccomp.security.alpha.kubernetes.io/";
constexpr std::string_view kContainerAppArmor = "container.apparmor.security.beta.kubernetes.io/";

const Value* TemplateOf(std::string_view kind, const Value& object) {
  if (kind == "PodTemplate") return FindObject(&object, "template");
  const Value* const spec = FindObject(&object, "spec");
  if (kind != "CronJob") return FindObject(spec, "template");
  return FindObject(FindObject(FindObject(spec, "jobTemplate"), "spec"), "template");
}

bool HasTemplate(std::string_view kind) {
  constexpr std::array<std::string_view, 8> kKinds = {
      "PodTemplate", "ReplicationController", "ReplicaSet", "Deployment",
      "DaemonSet",   "StatefulSet",           "Job",        "CronJob"};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

/// One side of an update.
struct UpdateSide {
  const Value* spec = nullptr;
  StringMap annotations;
};

bool IsSameContainer(const Value& now, const Value& before, const StringMap& annotations,
                     const StringMap& old_annotations) {
  if (FindText(&now, "image") != FindText(&before, "image")) return false;
  if (annotations.empty() && old_annotations.empty()) return true;
  const std::string key = std::string(kContainerSeccomp) + std::string(FindText(&now, "name"));
  return annotations.Find(key).value_or("") == old_annotations.Find(key).value_or("");
}

bool IsListChanged(std::string_view list, const UpdateSide& now, const UpdateSide& before) {
  const std::span<const Value> items = FindItems(now.spec, list);
  const std::span<const Value> old_items = FindItems(before.spec, list);
  if (items.size() != old_items.size()) return true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!IsSameContainer(items[i], old_items[i], now.annotations, before.annotations)) return true;
  }
  return false;
}

/// Ephemeral containers are compared by name: a new one is significant, one that is gone is not.
bool IsEphemeralChanged(const UpdateSide& now, const UpdateSide& before) {
  std::map<std::string_view, const Value*> old_items;
  for (const Value& item : FindItems(before.spec, "ephemeralContainers")) {
    old_items.emplace(FindText(&item, "name"), &item);
  }
  for (const Value& item : FindItems(now.spec, "ephemeralContainers")) {
    const auto found = old_items.find(FindText(&item, "name"));
    if (found == old_items.end()) return true;
    if (!IsSameContainer(item, *found->second, now.annotations, before.annotations)) return true;
  }
  return false;
}

}  // namespace

const Value* FindMember(const Value* object, std::string_view key) {
  const Value* const found = object == nullptr ? nullptr : object->Find(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

const Value* FindObject(const Value* object, std::string_view key) {
  const Value* const found = FindMember(object, key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

std::string_view FindText(const Value* object, std::string_view key) {
  return TextOrEmpty(FindMember(object, key));
}

std::optional<bool> FindBool(const Value* object, std::string_view key) {
  const Value* const found = FindMember(object, key);
  if (found == nullptr || !found->is_bool()) return std::nullopt;
  return found->AsBool();
}

std::optional<std::int64_t> FindInt(const Value* object, std::string_view key) {
  const Value* const found = FindMember(object, key);
  if (found == nullptr || !found->is_int()) return std::nullopt;
  return found->AsInt();
}

std::span<const Value> FindItems(const Value* object, std::string_view key) {
  const Value* const found = FindMember(object, key);
  return found == nullptr ? std::span<const Value>() : found->items();
}

std::optional<PodTree> FindPodTree(std::string_view kind, const Value& object) {
  if (kind == "Pod") {
    return PodTree{FindObject(&object, "metadata"), FindObject(&object, "spec")};
  }
  if (!HasTemplate(kind)) return std::nullopt;
  const Value* const pod = TemplateOf(kind, object);
  if (pod == nullptr) return std::nullopt;
  return PodTree{FindObject(pod, "metadata"), FindObject(pod, "spec")};
}

std::vector<ContainerTree> ContainersOf(const Value& spec) {
  std::vector<ContainerTree> containers;
  for (const std::string_view list : kContainerLists) {
    for (const Value& item : FindItems(&spec, list)) {
      containers.push_back({FindText(&item, "name"), &item, FindObject(&item, "securityContext")});
    }
  }
  return containers;
}

bool IsWindowsPod(const Value& spec) {
  return FindText(FindObject(&spec, "os"), "name") == "windows";
}

bool IsInUserNamespace(const Value& spec) { return FindBool(&spec, "hostUsers") == false; }

StringMap SecurityAnnotationsOf(const Value* metadata) {
  std::vector<StringMap::Entry> entries;
  const Value* const annotations = FindObject(metadata, "annotations");
  if (annotations == nullptr) return {};
  for (const codec::Member& member : annotations->members()) {
    const bool is_wanted = member.key == kPodSeccomp || member.key.starts_with(kContainerSeccomp) ||
                           member.key.starts_with(kContainerAppArmor);
    if (is_wanted && member.value.is_string())
      entries.emplace_back(member.key, member.value.text());
  }
  return StringMap(std::move(entries));
}

bool IsSignificantPodUpdate(const PodTree& now, const PodTree& before) {
  const UpdateSide side{now.spec, SecurityAnnotationsOf(now.metadata)};
  const UpdateSide old_side{before.spec, SecurityAnnotationsOf(before.metadata)};
  return IsListChanged("containers", side, old_side) ||
         IsListChanged("initContainers", side, old_side) || IsEphemeralChanged(side, old_side);
}

}  // namespace plimsoll::api
