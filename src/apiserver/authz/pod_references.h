#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/value.h"

/// Finds the API objects that a pod refers to. REQUIRES: the trees are valid Pods.
namespace plimsoll::apiserver {

/// Annotation of a mirror pod: the API object that a kubelet creates for a static pod.
inline constexpr std::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";

bool IsMirrorPod(const codec::Value& pod);

/// Returns spec.serviceAccountName, or its deprecated alias spec.serviceAccount, or "" if neither
/// is set.
std::string_view ServiceAccountOf(const codec::Value& spec);

using NamePredicate = std::function<bool(std::string_view name)>;

/// Returns true if `holds` is true for the name of a Secret that the spec refers to: in
/// environments, volumes and imagePullSecrets. Skips empty names.
bool AnySecretName(const codec::Value& spec, const NamePredicate& holds);
/// Same as above, for ConfigMaps.
bool AnyConfigMapName(const codec::Value& spec, const NamePredicate& holds);

/// Returns the name of the PersistentVolumeClaim of a volume: the one that it names, or the one
/// generated for an ephemeral volume. Returns "" for other volumes.
std::string ClaimOfVolume(std::string_view pod_name, const codec::Value& volume);

/// Returns the first kind of API object that the spec refers to, as upstream's messages name it
/// (`secrets`, `persistentvolumeclaims (via ephemeral volumes)`), or nullopt. Fails if a volume has
/// an unknown type.
Result<std::optional<std::string>> FindApiReference(const codec::Value& spec);

}  // namespace plimsoll::apiserver
