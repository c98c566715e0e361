#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/string_map.h"
#include "codec/value.h"

/// Reads the fields of a pod's tree that the checks need. A value of the
/// wrong type counts as missing.
namespace plimsoll::api {

/// The pod within an object: a Pod itself, or the pod template of a workload. Null: missing.
struct PodTree {
  const codec::Value* metadata = nullptr;
  const codec::Value* spec = nullptr;
};

/// Returns the pod within an object of that kind: Pod, PodTemplate, ReplicationController,
/// ReplicaSet, Deployment, DaemonSet, StatefulSet, Job, CronJob. Nothing for other kinds, and for
/// an object without a template.
std::optional<PodTree> FindPodTree(std::string_view kind, const codec::Value& object);

/// Returns the member, or null when it is missing or null.
const codec::Value* FindMember(const codec::Value* object, std::string_view key);
/// Returns the member that is an object, or null.
const codec::Value* FindObject(const codec::Value* object, std::string_view key);
std::string_view FindText(const codec::Value* object, std::string_view key);
std::optional<bool> FindBool(const codec::Value* object, std::string_view key);
std::optional<std::int64_t> FindInt(const codec::Value* object, std::string_view key);
std::span<const codec::Value> FindItems(const codec::Value* object, std::string_view key);

/// A container and its name, for messages.
struct ContainerTree {
  std::string_view name;
  const codec::Value* tree = nullptr;
  const codec::Value* security = nullptr;  // securityContext; null: none
};

/// Returns all containers in the order of messages: init containers, containers, ephemeral ones.
std::vector<ContainerTree> ContainersOf(const codec::Value& spec);

/// Returns the annotations that the checks read: those of seccomp and AppArmor.
StringMap SecurityAnnotationsOf(const codec::Value* metadata);

/// Reports whether the pod names Windows as its operating system.
bool IsWindowsPod(const codec::Value& spec);
/// Reports whether the pod runs in a user namespace: hostUsers is false.
bool IsInUserNamespace(const codec::Value& spec);

/// Returns true if an update changes fields that the checks read: an image, the set of containers,
/// or a seccomp annotation of a container.
bool IsSignificantPodUpdate(const PodTree& now, const PodTree& before);

}  // namespace plimsoll::api
