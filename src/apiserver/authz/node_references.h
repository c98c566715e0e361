#pragma once

#include <string>
#include <string_view>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Objects that a node needs for the pods bound to it: the edges of upstream's node graph, computed
/// on demand. Objects that the node itself can write add no edge: mirror pods are ignored, and
/// NodeRestriction prevents nodes from adding claims to pod status.
/// Safe for use by many threads.
class NodeReferences {
 public:
  /// Both references must outlive this object.
  NodeReferences(const Cache& cache, const ResourceTable& resources);

  enum class Kind : std::uint8_t {
    Pod,
    Secret,
    ConfigMap,
    PersistentVolumeClaim,
    PersistentVolume,
    ServiceAccount,
    ResourceClaim,
    ResourceSlice,
    VolumeAttachment,
  };

  bool Has(std::string_view node, Kind kind, std::string_view namespace_,
           std::string_view name) const;

 private:
  Picture PodsOf(std::string_view node, std::string_view namespace_) const;
  bool AnyPod(std::string_view node, Kind kind, std::string_view namespace_,
              std::string_view name) const;
  bool HasVolume(std::string_view node, std::string_view name) const;
  /// Returns true if a bound volume of one of the node's pods needs the secret.
  bool HasVolumeSecret(std::string_view node, std::string_view namespace_,
                       std::string_view name) const;
  /// Returns true if the volume that the claim is bound to needs the secret.
  bool ClaimNeedsSecret(std::string_view claim_namespace, std::string_view claim,
                        std::string_view namespace_, std::string_view name) const;
  bool IsOnNode(const Resource* resource, std::string_view node, std::string_view name) const;

  const Cache& cache_;
  const Resource* pods_;
  const Resource* claims_;
  const Resource* volumes_;
  const Resource* attachments_;
  const Resource* slices_;
};

/// Returns true if the pod refers to this object in its own namespace.
bool RefersTo(const codec::Value& pod, NodeReferences::Kind kind, std::string_view name);
/// Returns true if a kubelet that mounts the volume needs the secret.
bool VolumeNeedsSecret(const codec::Value& volume, std::string_view namespace_,
                       std::string_view name);

}  // namespace plimsoll::apiserver
