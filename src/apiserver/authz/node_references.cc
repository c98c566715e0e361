#include "apiserver/authz/node_references.h"

#include <algorithm>
#include <initializer_list>

#include "apiserver/authz/pod_references.h"
#include "apiserver/authz/policy_rule.h"

namespace plimsoll::apiserver {
namespace {

using codec::Member;
using codec::Value;
using Kind = NodeReferences::Kind;

const Value* FindPath(const Value& tree, std::initializer_list<std::string_view> path) {
  const Value* at = &tree;
  for (const std::string_view key : path) {
    at = at->Find(key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

template <class Predicate>
bool AnyItem(const Value& tree, std::string_view key, const Predicate& holds) {
  const Value* const list = tree.Find(key);
  return list != nullptr && std::ranges::any_of(list->items(), holds);
}

bool UsesClaim(const Value& pod, const Value& spec, std::string_view name) {
  const Value* const metadata = pod.Find("metadata");
  const std::string_view pod_name =
      metadata != nullptr ? TextAt(*metadata, "name") : std::string_view();
  return !name.empty() && AnyItem(spec, "volumes", [&](const Value& volume) {
    return ClaimOfVolume(pod_name, volume) == name;
  });
}

/// Returns true if the pod's status has this claim as generated for the entry.
bool IsGenerated(const Value& status, std::string_view entry, std::string_view name) {
  return AnyItem(status, "resourceClaimStatuses", [&](const Value& made) {
    return TextAt(made, "name") == entry && TextAt(made, "resourceClaimName") == name;
  });
}

bool UsesResourceClaim(const Value& pod, const Value& spec, std::string_view name) {
  const Value* const status = pod.Find("status");
  const bool is_in_spec = AnyItem(spec, "resourceClaims", [&](const Value& claim) {
    const std::string_view direct = TextAt(claim, "resourceClaimName");
    if (!direct.empty()) return direct == name;
    return status != nullptr && !TextAt(claim, "resourceClaimTemplateName").empty() &&
           IsGenerated(*status, TextAt(claim, "name"), name);
  });
  if (is_in_spec || status == nullptr) return is_in_spec;
  const Value* const extended = status->Find("extendedResourceClaimStatus");
  return extended != nullptr && TextAt(*extended, "resourceClaimName") == name;
}

}  // namespace

bool RefersTo(const Value& pod, Kind kind, std::string_view name) {
  const Value* const spec = pod.Find("spec");
  // The node itself creates mirror pods, so they must not grant it access.
  if (spec == nullptr || IsMirrorPod(pod)) return false;
  const auto is_named = [&](std::string_view found) { return found == name; };
  switch (kind) {
    case Kind::Secret:
      return AnySecretName(*spec, is_named);
    case Kind::ConfigMap:
      return AnyConfigMapName(*spec, is_named);
    case Kind::PersistentVolumeClaim:
      return UsesClaim(pod, *spec, name);
    case Kind::ServiceAccount:
      return ServiceAccountOf(*spec) == name;
    case Kind::ResourceClaim:
      return UsesResourceClaim(pod, *spec, name);
    default:
      return false;
  }
}

bool VolumeNeedsSecret(const Value& volume, std::string_view namespace_, std::string_view name) {
  const Value* const spec = volume.Find("spec");
  if (spec == nullptr) return false;
  const Value* const claim = spec->Find("claimRef");
  const std::string_view claim_namespace =
      claim != nullptr ? TextAt(*claim, "namespace") : std::string_view();
  const auto in = [&](std::string_view given) {
    return (given.empty() ? claim_namespace : given) == namespace_;
  };
  for (const Member& source : spec->members()) {
    if (source.key == "azureFile" && TextAt(source.value, "secretName") == name &&
        in(TextAt(source.value, "secretNamespace"))) {
      return true;
    }
    for (const Member& member : source.value.members()) {
      const bool is_reference = member.key == "secretRef" || member.key.ends_with("SecretRef");
      // The controllers of a CSI driver, and not the node, use these secrets.
      if (!is_reference || member.key.starts_with("controller")) continue;
      if (TextAt(member.value, "name") == name && in(TextAt(member.value, "namespace"))) {
        return true;
      }
    }
  }
  return false;
}

NodeReferences::NodeReferences(const Cache& cache, const ResourceTable& resources)
    : cache_(cache),
      pods_(resources.Find("", "v1", "pods")),
      claims_(resources.Find("", "v1", "persistentvolumeclaims")),
      volumes_(resources.Find("", "v1", "persistentvolumes")),
      attachments_(resources.Find("storage.k8s.io", "v1", "volumeattachments")),
      slices_(resources.Find("resource.k8s.io", "v1", "resourceslices")) {
  PL_ASSERT(pods_ != nullptr && claims_ != nullptr && volumes_ != nullptr);
}

Picture NodeReferences::PodsOf(std::string_view node, std::string_view namespace_) const {
  const Result<api::FieldSelector> fields =
      api::FieldSelector::Parse("spec.nodeName=" + std::string(node));
  // A node name cannot contain the operators of a selector.
  if (!fields || node.find_first_of(",=!\\") != std::string_view::npos) return {};
  return cache_.List(*pods_,
                     {.namespace_ = std::string(namespace_), .labels = {}, .fields = *fields});
}

bool NodeReferences::AnyPod(std::string_view node, Kind kind, std::string_view namespace_,
                            std::string_view name) const {
  if (namespace_.empty()) return false;
  return std::ranges::any_of(PodsOf(node, namespace_).objects, [&](const ObjectPtr& pod) {
    const auto decoded = pod->Decode();
    return decoded && RefersTo((*decoded)->tree(), kind, name);
  });
}

bool NodeReferences::HasVolume(std::string_view node, std::string_view name) const {
  const ObjectPtr volume = cache_.Get(*volumes_, "", name);
  if (volume == nullptr) return false;
  const auto decoded = volume->Decode();
  if (!decoded) return false;
  const Value* const claim = FindPath((*decoded)->tree(), {"spec", "claimRef"});
  return claim != nullptr && AnyPod(node, Kind::PersistentVolumeClaim, TextAt(*claim, "namespace"),
                                    TextAt(*claim, "name"));
}

bool NodeReferences::HasVolumeSecret(std::string_view node, std::string_view namespace_,
                                     std::string_view name) const {
  return std::ranges::any_of(PodsOf(node, "").objects, [&](const ObjectPtr& pod) {
    const auto decoded = pod->Decode();
    if (!decoded) return false;
    const Value* const spec = (*decoded)->tree().Find("spec");
    if (spec == nullptr || IsMirrorPod((*decoded)->tree())) return false;
    return AnyItem(*spec, "volumes", [&](const Value& source) {
      const std::string claim = ClaimOfVolume(pod->name(), source);
      return !claim.empty() && ClaimNeedsSecret(pod->namespace_(), claim, namespace_, name);
    });
  });
}

bool NodeReferences::ClaimNeedsSecret(std::string_view claim_namespace, std::string_view claim,
                                      std::string_view namespace_, std::string_view name) const {
  const ObjectPtr found = cache_.Get(*claims_, claim_namespace, claim);
  if (found == nullptr) return false;
  const auto claim_object = found->Decode();
  if (!claim_object) return false;
  const Value* const volume_name = FindPath((*claim_object)->tree(), {"spec", "volumeName"});
  if (volume_name == nullptr || !volume_name->is_string()) return false;
  const ObjectPtr volume = cache_.Get(*volumes_, "", volume_name->text());
  if (volume == nullptr) return false;
  const auto decoded = volume->Decode();
  if (!decoded) return false;
  // Anyone who may create a claim can write any volumeName into it. Only claimRef in the volume
  // proves the binding.
  const Value* const owner = FindPath((*decoded)->tree(), {"spec", "claimRef"});
  return owner != nullptr && TextAt(*owner, "namespace") == claim_namespace &&
         TextAt(*owner, "name") == claim && VolumeNeedsSecret((*decoded)->tree(), namespace_, name);
}

bool NodeReferences::IsOnNode(const Resource* resource, std::string_view node,
                              std::string_view name) const {
  const ObjectPtr object = resource != nullptr ? cache_.Get(*resource, "", name) : nullptr;
  if (object == nullptr) return false;
  const auto decoded = object->Decode();
  if (!decoded) return false;
  const Value* const spec = (*decoded)->tree().Find("spec");
  return spec != nullptr && TextAt(*spec, "nodeName") == node;
}

bool NodeReferences::Has(std::string_view node, Kind kind, std::string_view namespace_,
                         std::string_view name) const {
  switch (kind) {
    case Kind::Pod: {
      const ObjectPtr pod = cache_.Get(*pods_, namespace_, name);
      if (pod == nullptr) return false;
      const auto decoded = pod->Decode();
      if (!decoded) return false;
      const Value* const spec = (*decoded)->tree().Find("spec");
      return spec != nullptr && TextAt(*spec, "nodeName") == node;
    }
    case Kind::Secret:
      return AnyPod(node, kind, namespace_, name) || HasVolumeSecret(node, namespace_, name);
    case Kind::PersistentVolume:
      return HasVolume(node, name);
    case Kind::VolumeAttachment:
      return IsOnNode(attachments_, node, name);
    case Kind::ResourceSlice:
      return IsOnNode(slices_, node, name);
    default:
      return AnyPod(node, kind, namespace_, name);
  }
}

}  // namespace plimsoll::apiserver
