#pragma once

#include <string>
#include <string_view>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Says which objects a node needs for the pods that are bound to it: the edges of upstream's node
/// graph, computed on demand. No edge comes from an object that the node itself can write: mirror
/// pods give none, and NodeRestriction keeps nodes from naming claims in the status of pods. Safe
/// for use by many threads.
class NodeReferences {
 public:
  /// Both must outlive it.
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
  /// Through the volume that a claim of one of the node's pods is bound to.
  bool HasVolumeSecret(std::string_view node, std::string_view namespace_,
                       std::string_view name) const;
  /// Whether the volume that the claim is bound to needs the secret.
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

/// Whether the pod, of that tree, refers to the object of its namespace.
bool RefersTo(const codec::Value& pod, NodeReferences::Kind kind, std::string_view name);
/// Whether a kubelet that mounts the volume needs the secret.
bool VolumeNeedsSecret(const codec::Value& volume, std::string_view namespace_,
                       std::string_view name);

}  // namespace plimsoll::apiserver
