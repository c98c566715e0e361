#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/value.h"

/// Finds the API objects that a pod names. The trees conform to the kind Pod.
namespace plimsoll::apiserver {

/// The annotation that marks a mirror pod: the copy that a node makes of a pod from its own files.
inline constexpr std::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";

bool IsMirrorPod(const codec::Value& pod);

/// Returns spec.serviceAccountName, or its older alias spec.serviceAccount; empty when neither is
/// set.
std::string_view ServiceAccountOf(const codec::Value& spec);

using NamePredicate = std::function<bool(std::string_view name)>;

/// Returns whether `holds` for the name of one of the Secrets that the pod's spec names: in
/// environments, volumes and imagePullSecrets. Empty names are skipped.
bool AnySecretName(const codec::Value& spec, const NamePredicate& holds);
/// Same as above, for ConfigMaps.
bool AnyConfigMapName(const codec::Value& spec, const NamePredicate& holds);

/// Returns the name of the PersistentVolumeClaim of a volume: the one that it names, or the one
/// that is made for an ephemeral volume of the pod. Empty for other volumes.
std::string ClaimOfVolume(std::string_view pod_name, const codec::Value& volume);

/// Returns the first kind of API object that the pod's spec refers to, in upstream's words
/// (`secrets`, `persistentvolumeclaims (via ephemeral volumes)`); nothing if there is none. Fails
/// on a volume of an unknown type.
Result<std::optional<std::string>> FindApiReference(const codec::Value& spec);

}  // namespace plimsoll::apiserver
