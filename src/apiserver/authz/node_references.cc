#include "apiserver/authz/node_references.h"

#include <algorithm>
#include <array>

#include "apiserver/authz/policy_rule.h"

namespace plimsoll::apiserver {
namespace {

using codec::Member;
using codec::Value;
using Kind = NodeReferences::Kind;

constexpr std::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";

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

bool IsFreeForm(std::string_view key) { return key == "volumeAttributes" || key == "options"; }

/// Looks through a container or a volume. Kubernetes names what points to a secret or a config map
/// alike everywhere: `secretRef`, `secretKeyRef`, `secretName`, `configMapRef` and so on.
bool Mentions(const Value& tree, std::string_view word, std::string_view name) {
  const auto points = [&](const Member& member) {
    const Value& value = member.value;
    if (value.is_string()) {
      return word == "secret" && member.key == "secretName" && value.text() == name;
    }
    if (IsFreeForm(member.key)) return false;
    const bool is_reference =
        member.key.starts_with(word) || (word == "secret" && member.key.ends_with("SecretRef"));
    if (is_reference && value.is_object() && ReadText(value, "name") == name) return true;
    return Mentions(value, word, name);
  };
  return std::ranges::any_of(tree.members(), points) ||
         std::ranges::any_of(tree.items(),
                             [&](const Value& item) { return Mentions(item, word, name); });
}

bool SpecMentions(const Value& spec, std::string_view word, std::string_view name) {
  constexpr std::array<std::string_view, 4> kParts = {"containers", "initContainers",
                                                      "ephemeralContainers", "volumes"};
  return std::ranges::any_of(kParts, [&](std::string_view part) {
    const Value* const list = spec.Find(part);
    return list != nullptr && Mentions(*list, word, name);
  });
}

bool UsesClaim(const Value& pod, const Value& spec, std::string_view name) {
  return AnyItem(spec, "volumes", [&](const Value& volume) {
    if (const Value* const claim = volume.Find("persistentVolumeClaim")) {
      return ReadText(*claim, "claimName") == name;
    }
    if (volume.Find("ephemeral") == nullptr) return false;
    const Value* const metadata = pod.Find("metadata");
    return metadata != nullptr && name == std::string(ReadText(*metadata, "name"))
                                              .append("-")
                                              .append(ReadText(volume, "name"));
  });
}

bool UsesResourceClaim(const Value& pod, const Value& spec, std::string_view name) {
  const auto names = [&](const Value& claim) {
    return ReadText(claim, "resourceClaimName") == name;
  };
  if (AnyItem(spec, "resourceClaims", names)) return true;
  const Value* const status = pod.Find("status");
  if (status == nullptr) return false;
  const Value* const extended = status->Find("extendedResourceClaimStatus");
  return AnyItem(*status, "resourceClaimStatuses", names) ||
         (extended != nullptr && names(*extended));
}

}  // namespace

bool RefersTo(const Value& pod, Kind kind, std::string_view name) {
  const Value* const spec = pod.Find("spec");
  // A mirror pod was made by the node itself, which must not gain by it.
  const Value* const annotations = FindPath(pod, {"metadata", "annotations"});
  const bool is_mirror = annotations != nullptr && annotations->Find(kMirrorAnnotation) != nullptr;
  if (spec == nullptr || is_mirror) return false;
  switch (kind) {
    case Kind::Secret:
      return SpecMentions(*spec, "secret", name) ||
             AnyItem(*spec, "imagePullSecrets",
                     [&](const Value& item) { return ReadText(item, "name") == name; });
    case Kind::ConfigMap:
      return SpecMentions(*spec, "configMap", name);
    case Kind::PersistentVolumeClaim:
      return UsesClaim(pod, *spec, name);
    case Kind::ServiceAccount:
      return ReadText(*spec, "serviceAccountName") == name;
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
      claim != nullptr ? ReadText(*claim, "namespace") : std::string_view();
  const auto in = [&](std::string_view given) {
    return (given.empty() ? claim_namespace : given) == namespace_;
  };
  for (const Member& source : spec->members()) {
    if (source.key == "azureFile" && ReadText(source.value, "secretName") == name &&
        in(ReadText(source.value, "secretNamespace"))) {
      return true;
    }
    for (const Member& member : source.value.members()) {
      const bool is_reference = member.key == "secretRef" || member.key.ends_with("SecretRef");
      // What the controllers of a CSI driver need is none of the kubelet's business.
      if (!is_reference || member.key.starts_with("controller")) continue;
      if (ReadText(member.value, "name") == name && in(ReadText(member.value, "namespace"))) {
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
  // A name with signs of the selector's own is no node's name.
  if (!fields || node.find_first_of(",=!\\") != std::string_view::npos) return {};
  return cache_.List(*pods_,
                     {.namespace_ = std::string(namespace_), .labels = {}, .fields = *fields});
}

bool NodeReferences::AnyPod(std::string_view node, Kind kind, std::string_view namespace_,
                            std::string_view name) const {
  return std::ranges::any_of(PodsOf(node, namespace_).objects, [&](const ObjectPtr& pod) {
    return RefersTo(pod->Decode()->tree(), kind, name);
  });
}

bool NodeReferences::HasVolume(std::string_view node, std::string_view name) const {
  const ObjectPtr volume = cache_.Get(*volumes_, "", name);
  if (volume == nullptr) return false;
  const std::shared_ptr<const api::Object> decoded = volume->Decode();
  const Value* const claim = FindPath(decoded->tree(), {"spec", "claimRef"});
  return claim != nullptr && AnyPod(node, Kind::PersistentVolumeClaim,
                                    ReadText(*claim, "namespace"), ReadText(*claim, "name"));
}

bool NodeReferences::HasVolumeSecret(std::string_view node, std::string_view namespace_,
                                     std::string_view name) const {
  for (const ObjectPtr& pod : PodsOf(node, "").objects) {
    const std::shared_ptr<const api::Object> decoded = pod->Decode();
    const Value* const spec = decoded->tree().Find("spec");
    if (spec == nullptr) continue;
    const bool is_found = AnyItem(*spec, "volumes", [&](const Value& source) {
      const Value* const claim = source.Find("persistentVolumeClaim");
      const std::string claim_name =
          claim != nullptr ? std::string(ReadText(*claim, "claimName"))
                           : std::string(pod->name()).append("-").append(ReadText(source, "name"));
      const ObjectPtr bound = cache_.Get(*claims_, pod->namespace_(), claim_name);
      if (bound == nullptr) return false;
      const std::shared_ptr<const api::Object> claim_object = bound->Decode();
      const Value* const volume_name = FindPath(claim_object->tree(), {"spec", "volumeName"});
      if (volume_name == nullptr || !volume_name->is_string()) return false;
      const ObjectPtr volume = cache_.Get(*volumes_, "", volume_name->text());
      return volume != nullptr && VolumeNeedsSecret(volume->Decode()->tree(), namespace_, name);
    });
    if (is_found) return true;
  }
  return false;
}

bool NodeReferences::IsOnNode(const Resource* resource, std::string_view node,
                              std::string_view name) const {
  const ObjectPtr object = resource != nullptr ? cache_.Get(*resource, "", name) : nullptr;
  if (object == nullptr) return false;
  const std::shared_ptr<const api::Object> decoded = object->Decode();
  const Value* const spec = decoded->tree().Find("spec");
  return spec != nullptr && ReadText(*spec, "nodeName") == node;
}

bool NodeReferences::Has(std::string_view node, Kind kind, std::string_view namespace_,
                         std::string_view name) const {
  switch (kind) {
    case Kind::Pod: {
      const ObjectPtr pod = cache_.Get(*pods_, namespace_, name);
      if (pod == nullptr) return false;
      const std::shared_ptr<const api::Object> decoded = pod->Decode();
      const Value* const spec = decoded->tree().Find("spec");
      return spec != nullptr && ReadText(*spec, "nodeName") == node;
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
