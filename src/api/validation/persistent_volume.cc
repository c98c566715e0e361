#include "api/validation/persistent_volume.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/node_selector.h"
#include "api/validation/object_meta.h"
#include "api/validation/pod_options.h"
#include "api/validation/resources.h"
#include "api/validation/semantic_diff.h"
#include "api/validation/storage_checks.h"
#include "base/go_text.h"
#include "codec/value.h"

namespace plimsoll::api {
namespace {

constexpr FieldPath kMetadata("metadata");
constexpr FieldPath kSpec("spec");

/// A volume source and its required fields.
struct VolumeSource {
  std::string_view name;
  std::array<std::string_view, 2> required;
};

// In upstream's order.
constexpr std::array kSources = std::to_array<VolumeSource>({
    {"hostPath", {"path"}},
    {"gcePersistentDisk", {"pdName"}},
    {"awsElasticBlockStore", {"volumeID"}},
    {"glusterfs", {"endpoints", "path"}},
    {"flocker", {}},
    {"nfs", {"server", "path"}},
    {"rbd", {"monitors", "image"}},
    {"quobyte", {"registry", "volume"}},
    {"cephfs", {"monitors"}},
    {"iscsi", {"targetPortal", "iqn"}},
    {"cinder", {"volumeID"}},
    {"fc", {}},
    {"flexVolume", {"driver"}},
    {"azureFile", {"secretName", "shareName"}},
    {"vsphereVolume", {"volumePath"}},
    {"photonPersistentDisk", {"pdID"}},
    {"portworxVolume", {"volumeID"}},
    {"azureDisk", {"diskName", "diskURI"}},
    {"scaleIO", {"gateway", "system"}},
    {"local", {"path"}},
    {"storageos", {}},
    {"csi", {"driver", "volumeHandle"}},
});

// Node labels that were renamed when they left beta.
constexpr std::array kRenamedLabels = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"beta.kubernetes.io/os", "kubernetes.io/os"},
    {"beta.kubernetes.io/arch", "kubernetes.io/arch"},
    {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"},
});

bool IsSet(const codec::Value* value) {
  if (value == nullptr || value->is_null()) return false;
  if (value->is_array()) return !value->items().empty();
  return !value->is_string() || !value->text().empty();
}

void ValidateCapacity(const ResourceList& capacity, FieldErrors& errors) {
  static constexpr FieldPath kCapacity = kSpec / "capacity";
  if (capacity.empty()) errors.Required(kCapacity, "");
  if (capacity.size() != 1 || capacity.front().name != "storage") {
    std::string shown = "{";
    for (const ResourceAmount& amount : capacity) {
      if (shown.size() > 1) shown += ',';
      shown += GoJsonQuote(amount.name) + ":" + GoJsonQuote(amount.quantity.Text());
    }
    errors.NotSupported(
        kCapacity, capacity.empty() ? BadValue::Null() : BadValue::Json(shown + "}"), {"storage"});
  }
  for (const ResourceAmount& amount : capacity) {
    const FieldPath amount_path = kCapacity.Key(amount.name);
    if (amount.quantity.Value() < 0) {
      errors.Invalid(amount_path, BadValue::Int(amount.quantity.Value()),
                     "must be a valid resource quantity");
    }
    if (amount.quantity.sign() <= 0) {
      errors.Invalid(amount_path, amount.quantity.Text(), "must be greater than zero");
    }
  }
}

void ValidateSources(const PersistentVolumeSpec& spec, FieldErrors& errors) {
  if (spec.source == nullptr) return;
  bool is_found = false;
  for (const VolumeSource& source : kSources) {
    const codec::Value* value = spec.source->Find(source.name);
    if (value == nullptr || value->is_null()) continue;
    const FieldPath source_path = kSpec / source.name;
    if (is_found) {
      errors.Forbidden(source_path, "may not specify more than 1 volume type");
      continue;
    }
    is_found = true;
    for (const std::string_view field : source.required) {
      if (!field.empty() && !IsSet(value->Find(field))) errors.Required(source_path / field, "");
    }
    if (source.name == "local" && !spec.node_affinity) {
      errors.Required(kSpec / "nodeAffinity", "Local volume requires node affinity");
    }
  }
  if (!is_found) errors.Required(kSpec, "must specify a volume type");
}

void Validate(const PersistentVolume& volume, const NodeSelectorRules& rules, FieldErrors& errors) {
  const PersistentVolumeSpec& spec = volume.spec;
  ValidateObjectMeta(volume.metadata, Scope::Cluster, NameRule::Dns1123Subdomain, kMetadata,
                     errors);
  if (spec.access_modes.empty()) errors.Required(kSpec / "accessModes", "");
  ValidateAccessModes(spec.access_modes, kSpec / "accessModes", errors);
  ValidateCapacity(spec.capacity, errors);
  if (!spec.reclaim_policy.empty()) {
    CheckOneOf(spec.reclaim_policy, {"Delete", "Recycle", "Retain"},
               kSpec / "persistentVolumeReclaimPolicy", errors);
  }
  static constexpr FieldPath kNodeAffinity = kSpec / "nodeAffinity";
  if (spec.node_affinity && spec.node_affinity->required) {
    ValidateNodeSelector(*spec.node_affinity->required, rules, kNodeAffinity / "required", errors);
  } else if (spec.node_affinity) {
    errors.Required(kNodeAffinity / "required", "must specify required node constraints");
  }
  ValidateSources(spec, errors);
  if (!spec.storage_class_name.empty()) {
    AddFaults(kSpec / "storageClassName", spec.storage_class_name,
              CheckDns1123Subdomain(spec.storage_class_name), errors);
  }
  ValidateVolumeMode(spec.volume_mode, kSpec / "volumeMode", errors);
}

/// Values in the stored object stay allowed.
NodeSelectorRules RulesFor(const ValidationContext& context, const PersistentVolume* before) {
  NodeSelectorRules rules{.allow_semver_operators = context.gates.Enabled(
                              Feature::TaintTolerationNodeAffinitySemverComparisonOperators)};
  if (before == nullptr || !before->spec.node_affinity || !before->spec.node_affinity->required) {
    return rules;
  }
  const NodeSelector& required = *before->spec.node_affinity->required;
  rules.allow_invalid_label_values = HasInvalidLabelValue(required);
  rules.allow_semver_operators |= UsesSemver(required);
  rules.allow_unusable_versions = HasUnusableVersion(required);
  return rules;
}

bool IsSameOrRenamed(const NodeSelectorRequirement& now, const NodeSelectorRequirement& before) {
  if (now == before) return true;
  NodeSelectorRequirement renamed = before;
  for (const auto& [beta, stable] : kRenamedLabels) {
    if (before.key == beta) renamed.key = stable;
  }
  return now == renamed;
}

bool IsSameOrRenamed(const NodeSelectorTerm& now, const NodeSelectorTerm& before) {
  return now.match_fields == before.match_fields &&
         std::ranges::equal(now.match_expressions, before.match_expressions,
                            [](const NodeSelectorRequirement& a, const NodeSelectorRequirement& b) {
                              return IsSameOrRenamed(a, b);
                            });
}

void ValidateNodeAffinityUpdate(const std::optional<VolumeNodeAffinity>& now,
                                const VolumeNodeAffinity& before, FieldErrors& errors) {
  if (now == before) return;
  const bool may_pass =
      now && now->required && before.required &&
      std::ranges::equal(now->required->terms, before.required->terms,
                         [](const NodeSelectorTerm& a, const NodeSelectorTerm& b) {
                           return IsSameOrRenamed(a, b);
                         });
  if (may_pass) return;
  errors.Invalid(FieldPath("nodeAffinity"), now ? BadValue::Json(GoJson(*now)) : BadValue::Null(),
                 "field is immutable, except for updating from beta label to GA");
}

void ValidateSourceUpdate(const PersistentVolumeSpec& now, const PersistentVolumeSpec& before,
                          FieldErrors& errors) {
  if (now.source == nullptr || before.source == nullptr) return;
  // The secret for expansion may be added later, because older volumes were created without it.
  const codec::Value* csi = before.source->Find("csi");
  std::vector<std::string_view> ignored;
  if (csi != nullptr && !IsSet(csi->Find("controllerExpandSecretRef"))) {
    ignored.push_back("controllerExpandSecretRef");
  }
  std::string described;
  for (const VolumeSource& source : kSources) {
    const std::vector<Difference> differences =
        Differences(before.source->Find(source.name), now.source->Find(source.name), ignored);
    described += DescribeDifferences(differences, "spec." + std::string(source.name));
  }
  if (described.empty()) return;
  errors.Forbidden(kSpec / "persistentvolumesource",
                   "spec.persistentvolumesource is immutable after creation\n" + described);
}

}  // namespace

FieldErrors ValidatePersistentVolumeCreate(const PersistentVolume& volume,
                                           const ValidationContext& context) {
  FieldErrors errors;
  Validate(volume, RulesFor(context, nullptr), errors);
  return errors;
}

FieldErrors ValidatePersistentVolumeUpdate(const PersistentVolume& now,
                                           const PersistentVolume& before,
                                           const ValidationContext& context) {
  FieldErrors errors;
  Validate(now, RulesFor(context, &before), errors);
  ValidateSourceUpdate(now.spec, before.spec, errors);
  ValidateVolumeModeUpdate(now.spec.volume_mode, before.spec.volume_mode, errors);
  if (before.spec.node_affinity && !context.gates.Enabled(Feature::MutablePVNodeAffinity)) {
    ValidateNodeAffinityUpdate(now.spec.node_affinity, *before.spec.node_affinity, errors);
  }
  return errors;
}

}  // namespace plimsoll::api
