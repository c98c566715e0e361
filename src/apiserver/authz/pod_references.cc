#include "apiserver/authz/pod_references.h"

#include <algorithm>
#include <array>
#include <span>

#include "apiserver/authz/policy_rule.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;
using namespace std::string_view_literals;

constexpr std::array kContainerLists = {"containers"sv, "initContainers"sv,
                                        "ephemeralContainers"sv};

/// A volume source that names a Secret: its field, then the field of the reference or name.
struct SecretSource {
  std::string_view source;
  std::string_view field;
};
constexpr std::array kSecretReferences = {
    SecretSource{"cephfs", "secretRef"},     SecretSource{"cinder", "secretRef"},
    SecretSource{"flexVolume", "secretRef"}, SecretSource{"rbd", "secretRef"},
    SecretSource{"scaleIO", "secretRef"},    SecretSource{"iscsi", "secretRef"},
    SecretSource{"storageos", "secretRef"},  SecretSource{"csi", "nodePublishSecretRef"},
};

/// Volume sources and the API objects that they refer to, as in upstream's message. Empty: the
/// source needs no API object.
struct SourceRow {
  std::string_view source;
  std::string_view reference;
};
constexpr std::array kVolumeSources = {
    SourceRow{"configMap", "configmaps (via configmap volumes)"},
    SourceRow{"secret", "secrets (via secret volumes)"},
    SourceRow{"csi", "csidrivers (via CSI volumes)"},
    SourceRow{"glusterfs", "endpoints (via glusterFS volumes)"},
    SourceRow{"persistentVolumeClaim", "persistentvolumeclaims"},
    SourceRow{"ephemeral", "persistentvolumeclaims (via ephemeral volumes)"},
    SourceRow{"azureFile", "secrets (via azureFile volumes)"},
    SourceRow{"awsElasticBlockStore", ""},
    SourceRow{"azureDisk", ""},
    SourceRow{"cephfs", ""},
    SourceRow{"cinder", ""},
    SourceRow{"downwardAPI", ""},
    SourceRow{"emptyDir", ""},
    SourceRow{"fc", ""},
    SourceRow{"flexVolume", ""},
    SourceRow{"flocker", ""},
    SourceRow{"gcePersistentDisk", ""},
    SourceRow{"gitRepo", ""},
    SourceRow{"hostPath", ""},
    SourceRow{"image", ""},
    SourceRow{"iscsi", ""},
    SourceRow{"nfs", ""},
    SourceRow{"photonPersistentDisk", ""},
    SourceRow{"portworxVolume", ""},
    SourceRow{"quobyte", ""},
    SourceRow{"rbd", ""},
    SourceRow{"scaleIO", ""},
    SourceRow{"storageos", ""},
    SourceRow{"vsphereVolume", ""},
};
constexpr std::array kProjectedSources = {
    SourceRow{"configMap", "configmaps (via projected volumes)"},
    SourceRow{"secret", "secrets (via projected volumes)"},
    SourceRow{"serviceAccountToken", "serviceaccounts (via projected volumes)"},
    SourceRow{"clusterTrustBundle", "clustertrustbundles"},
    SourceRow{"podCertificate", "podcertificates"},
    SourceRow{"downwardAPI", ""},
};

/// Returns null if the object or the member is missing or null.
const Value* ChildOf(const Value* object, std::string_view key) {
  const Value* const found = object == nullptr ? nullptr : object->Find(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

template <class Predicate>
bool AnyOf(const Value* object, std::string_view list, const Predicate& holds) {
  const Value* const items = ChildOf(object, list);
  return items != nullptr && std::ranges::any_of(items->items(), holds);
}

class NameCheck {
 public:
  explicit NameCheck(const NamePredicate& holds) : holds_(holds) {}

  /// Checks the text of that field.
  bool Text(const Value* object, std::string_view field) const {
    const std::string_view name = object == nullptr ? std::string_view() : TextAt(*object, field);
    return !name.empty() && holds_(name);
  }
  /// Checks the `name` of the object reference in that field.
  bool Reference(const Value* object, std::string_view field) const {
    return Text(ChildOf(object, field), "name");
  }

 private:
  const NamePredicate& holds_;
};

/// Checks the references `key_ref` in `env` and `ref` in `envFrom`.
bool AnyInEnvironments(const Value& spec, std::string_view key_ref, std::string_view ref,
                       const NameCheck& check) {
  return std::ranges::any_of(kContainerLists, [&](std::string_view list) {
    return AnyOf(&spec, list, [&](const Value& container) {
      return AnyOf(&container, "env",
                   [&](const Value& variable) {
                     return check.Reference(ChildOf(&variable, "valueFrom"), key_ref);
                   }) ||
             AnyOf(&container, "envFrom",
                   [&](const Value& source) { return check.Reference(&source, ref); });
    });
  });
}

bool AnyProjected(const Value& volume, std::string_view source, const NameCheck& check) {
  return AnyOf(ChildOf(&volume, "projected"), "sources",
               [&](const Value& item) { return check.Reference(&item, source); });
}

/// Returns nullopt if the object has a source that is not in the table, or no source.
template <class Table>
std::optional<std::string_view> Classify(const Value& object, const Table& table,
                                         std::string_view passed_over) {
  std::optional<std::string_view> found;
  for (const codec::Member& member : object.members()) {
    if (member.key == "name" || member.key == passed_over || member.value.is_null()) continue;
    const auto row = std::ranges::find(table, member.key, &SourceRow::source);
    if (row == table.end()) return std::nullopt;
    if (!found || found->empty()) found = row->reference;
  }
  return found;
}

Result<std::string_view> ReferenceOfVolume(const Value& volume) {
  if (const Value* const projected = ChildOf(&volume, "projected")) {
    const Value* const sources = ChildOf(projected, "sources");
    const std::span<const Value> items =
        sources == nullptr ? std::span<const Value>() : sources->items();
    for (const Value& source : items) {
      const auto found = Classify(source, kProjectedSources, "");
      if (!found) {
        return Fail(Reason::Forbidden,
                    "unknown source for projected volume " + GoQuote(TextAt(volume, "name")));
      }
      if (!found->empty()) return *found;
    }
    constexpr std::size_t kNameAndSource = 2;
    if (volume.members().size() <= kNameAndSource) return std::string_view();
  }
  const auto found = Classify(volume, kVolumeSources, "projected");
  if (found) return *found;
  return Fail(Reason::Forbidden,
              "unknown volume type for volume  " + GoQuote(TextAt(volume, "name")));
}

}  // namespace

bool IsMirrorPod(const Value& pod) {
  return ChildOf(ChildOf(ChildOf(&pod, "metadata"), "annotations"), kMirrorAnnotation) != nullptr;
}

std::string_view ServiceAccountOf(const Value& spec) {
  const std::string_view name = TextAt(spec, "serviceAccountName");
  return name.empty() ? TextAt(spec, "serviceAccount") : name;
}

bool AnySecretName(const Value& spec, const NamePredicate& holds) {
  const NameCheck check(holds);
  if (AnyOf(&spec, "imagePullSecrets",
            [&](const Value& item) { return check.Text(&item, "name"); }) ||
      AnyInEnvironments(spec, "secretKeyRef", "secretRef", check)) {
    return true;
  }
  return AnyOf(&spec, "volumes", [&](const Value& volume) {
    return check.Text(ChildOf(&volume, "secret"), "secretName") ||
           check.Text(ChildOf(&volume, "azureFile"), "secretName") ||
           AnyProjected(volume, "secret", check) ||
           std::ranges::any_of(kSecretReferences, [&](const SecretSource& row) {
             return check.Reference(ChildOf(&volume, row.source), row.field);
           });
  });
}

bool AnyConfigMapName(const Value& spec, const NamePredicate& holds) {
  const NameCheck check(holds);
  if (AnyInEnvironments(spec, "configMapKeyRef", "configMapRef", check)) return true;
  return AnyOf(&spec, "volumes", [&](const Value& volume) {
    return check.Reference(&volume, "configMap") || AnyProjected(volume, "configMap", check);
  });
}

std::string ClaimOfVolume(std::string_view pod_name, const Value& volume) {
  if (const Value* const claim = ChildOf(&volume, "persistentVolumeClaim")) {
    return std::string(TextAt(*claim, "claimName"));
  }
  if (ChildOf(&volume, "ephemeral") == nullptr) return {};
  return std::string(pod_name).append("-").append(TextAt(volume, "name"));
}

Result<std::optional<std::string>> FindApiReference(const Value& spec) {
  const NamePredicate any = [](std::string_view) { return true; };
  if (!ServiceAccountOf(spec).empty()) return "serviceaccounts";
  if (AnySecretName(spec, any)) return "secrets";
  if (AnyConfigMapName(spec, any)) return "configmaps";
  if (AnyOf(&spec, "resourceClaims", [](const Value&) { return true; })) return "resourceclaims";
  const Value* const volumes = ChildOf(&spec, "volumes");
  if (volumes == nullptr) return std::nullopt;
  for (const Value& volume : volumes->items()) {
    const std::string_view reference = PL_TRY(ReferenceOfVolume(volume));
    if (!reference.empty()) return std::string(reference);
  }
  return std::nullopt;
}

}  // namespace plimsoll::apiserver
