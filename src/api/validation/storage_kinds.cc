#include <algorithm>
#include <string>
#include <vector>

#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/labels.h"
#include "api/validation/seen_texts.h"
#include "api/validation/semantic_diff.h"
#include "api/validation/tree_reads.h"
#include "base/quantity.h"
#include "base/text/ascii.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Member;
using codec::Value;

constexpr FieldPath kSpec("spec");
constexpr std::size_t kNodeIdBytesMax = 256;
constexpr std::size_t kParametersMax = 512;
constexpr std::size_t kParametersBytesMax = 256 * 1024;

bool Differ(const KindChange& change, std::string_view key) {
  return !Differences(MemberOf(change.old_tree(), key), MemberOf(change.tree(), key), {}).empty();
}

void CheckParameters(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kParameters("parameters");
  const auto parameters = MembersOf(change.tree(), "parameters");
  if (parameters.size() > kParametersMax) return errors.TooLong(kParameters, kParametersMax);
  std::size_t bytes = 0;
  for (const Member& one : parameters) {
    if (one.key.empty()) errors.Invalid(kParameters, one.key, "field can not be empty.");
    bytes += one.key.size() + one.value.text().size();
  }
  if (bytes > kParametersBytesMax) errors.TooLong(kParameters, kParametersBytesMax);
}

void CheckTopologyKeys(const Value& driver, const FieldPath& at, FieldErrors& errors) {
  SeenTexts seen;
  for (const Value& key : ItemsOf(&driver, "topologyKeys")) {
    if (!seen.Insert(key.text())) errors.Duplicate(at, BadValue::String(key.text()));
    ValidateLabelName(key.text(), at, errors);
  }
}

void CheckNodeDriver(const Value& driver, SeenTexts& seen, const FieldPath& at,
                     FieldErrors& errors) {
  const std::string_view name = TextOf(&driver, "name");
  CheckDriverName(name, at / "name", errors);
  const std::string_view node = TextOf(&driver, "nodeID");
  const FieldPath node_at = at / "nodeID";
  if (node.empty()) errors.Required(node_at, "");
  if (node.size() > kNodeIdBytesMax) errors.TooLong(node_at, kNodeIdBytesMax);
  const FieldPath allocatable_at = at / "allocatable";
  CheckNonNegative(IntOf(MemberOf(&driver, "allocatable"), "count").value_or(0),
                   allocatable_at / "count", errors);
  if (!seen.Insert(name)) errors.Duplicate(at / "name", BadValue::String(name));
  CheckTopologyKeys(driver, at / "topologyKeys", errors);
}

}  // namespace

void ValidateStorageClass(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kProvisioner("provisioner");
  const std::string_view provisioner = TextOf(change.tree(), "provisioner");
  if (provisioner.empty()) {
    errors.Required(kProvisioner, "");
  } else {
    AddFaults(kProvisioner, provisioner, CheckQualifiedName(Lowered(provisioner)), errors);
  }
  CheckParameters(change, errors);
  CheckOneOf(TextOf(change.tree(), "reclaimPolicy"), {"Delete", "Retain"},
             FieldPath("reclaimPolicy"), errors);
  const std::string_view mode = TextOf(change.tree(), "volumeBindingMode");
  CheckOneOf(mode, {"Immediate", "WaitForFirstConsumer"}, FieldPath("volumeBindingMode"), errors);
  if (change.before == nullptr) return;
  for (const std::string_view key : {"parameters", "provisioner", "reclaimPolicy"}) {
    if (!Differ(change, key)) continue;
    errors.Forbidden(FieldPath(key), "updates to " + std::string(key) + " are forbidden.");
  }
  if (Differ(change, "volumeBindingMode")) {
    errors.Invalid(FieldPath("volumeBindingMode"), BadValue::TypedString(mode),
                   "field is immutable");
  }
}

void ValidateCsiNode(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kDrivers = kSpec / "drivers";
  const auto drivers = ItemsOf(MemberOf(change.tree(), "spec"), "drivers");
  SeenTexts seen;
  for (std::size_t i = 0; i < drivers.size(); ++i) {
    CheckNodeDriver(drivers[i], seen, kDrivers[i], errors);
  }
  static constexpr std::string_view kMayChange[] = {"allocatable"};
  for (const Value& old : ItemsOf(MemberOf(change.old_tree(), "spec"), "drivers")) {
    for (const Value& now : drivers) {
      if (TextOf(&now, "name") != TextOf(&old, "name")) continue;
      if (Differences(&old, &now, kMayChange).empty()) continue;
      errors.Invalid(FieldPath("CSINodeDriver"), BadValue::Json(codec::WriteJson(now)),
                     "field is immutable");
    }
  }
}

void ValidateCsiDriver(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kMetadata("metadata");
  if (change.now.metadata().name.size() > kDriverNameBytesMax) {
    errors.TooLong(kMetadata / "name", kDriverNameBytesMax);
  }
  const Value* spec = MemberOf(change.tree(), "spec");
  CheckOneOf(TextOf(spec, "fsGroupPolicy"), {"File", "None", "ReadWriteOnceWithFSType"},
             kSpec / "fsGroupPolicy", errors);
  for (const Value& mode : ItemsOf(spec, "volumeLifecycleModes")) {
    CheckOneOf(mode.text(), {"Ephemeral", "Persistent"}, kSpec / "volumeLifecycleModes", errors);
  }
  if (change.before == nullptr) return;
  const bool now = BoolOf(spec, "attachRequired");
  if (now == BoolOf(MemberOf(change.old_tree(), "spec"), "attachRequired")) return;
  // A volume attached under the old value would never be detached under the new one.
  errors.Invalid(kSpec / "attachedRequired", BadValue::Bool(now), "field is immutable");
}

void ValidateCsiStorageCapacity(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kClass("storageClassName");
  const std::string_view class_name = TextOf(change.tree(), "storageClassName");
  AddFaults(kClass, class_name, CheckDns1123Subdomain(class_name), errors);
  for (const std::string_view key : {"capacity", "maximumVolumeSize"}) {
    const std::string_view text = TextOf(change.tree(), key);
    const auto quantity = Quantity::Parse(text);
    if (quantity && quantity->sign() < 0) {
      errors.Invalid(FieldPath(key), text, "must be greater than or equal to 0");
    }
  }
  if (const Value* topology = MemberOf(change.tree(), "nodeTopology")) {
    LabelSelector selector;
    Decode(*topology, selector);
    ValidateLabelSelector(selector, change.before != nullptr, FieldPath("nodeTopology"), errors);
  }
  if (change.before == nullptr) return;
  if (Differ(change, "nodeTopology")) {
    const Value* now = MemberOf(change.tree(), "nodeTopology");
    errors.Invalid(FieldPath("nodeTopology"),
                   now != nullptr ? BadValue::Json(codec::WriteJson(*now)) : BadValue::Null(),
                   "field is immutable");
  }
  if (Differ(change, "storageClassName")) errors.Invalid(kClass, class_name, "field is immutable");
}

void ValidateVolumeAttachment(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kSource = kSpec / "source";
  const Value* spec = MemberOf(change.tree(), "spec");
  CheckDriverName(TextOf(spec, "attacher"), kSpec / "attacher", errors);
  const Value* source = MemberOf(spec, "source");
  const bool is_inline = MemberOf(source, "inlineVolumeSpec") != nullptr;
  const Value* volume = MemberOf(source, "persistentVolumeName");
  if (!is_inline && volume == nullptr) {
    errors.Required(kSource,
                    "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
  } else if (is_inline && volume != nullptr) {
    errors.Forbidden(kSource,
                     "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
  } else if (volume != nullptr && volume->text().empty()) {
    errors.Required(kSource / "persistentVolumeName", "");
  }
  const std::string_view node = TextOf(spec, "nodeName");
  AddFaults(kSpec / "nodeName", node, CheckDns1123Subdomain(node), errors);
  if (change.before == nullptr || !Differ(change, "spec")) return;
  errors.Invalid(kSpec,
                 spec != nullptr ? BadValue::Json(codec::WriteJson(*spec)) : BadValue::Null(),
                 "field is immutable");
}

}  // namespace plimsoll::api
