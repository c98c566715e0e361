#include "api/validation/device/device_checks.h"
#include "api/validation/device/device_claim.h"
#include "api/validation/device/go_value.h"
#include "api/validation/kind_checks.h"
#include "api/validation/labels.h"
#include "api/validation/tree_reads.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr FieldPath kSpec("spec");

/// Only labels and annotations are copied to the claims that a template creates.
void CheckTemplateMetadata(const Value* spec, const FieldPath& at, FieldErrors& errors) {
  const ObjectMeta metadata = DecodedOf<ObjectMeta>(spec, "metadata");
  ValidateAnnotations(metadata.annotations, at / "annotations", errors);
  ValidateLabels(metadata.labels, at / "labels", errors);
  for (const codec::Member& member : MembersOf(spec, "metadata")) {
    if (member.key == "labels" || member.key == "annotations") continue;
    errors.Forbidden(at / member.key, "cannot be set");
  }
}

}  // namespace

void AuthorizeAdminAccess(const KindChange& change, FieldErrors& errors) {
  // The spec is immutable, so admin access can only be requested at creation.
  if (change.before != nullptr || change.context.admin_namespaces == nullptr) return;
  const Value* spec = MemberOf(change.tree(), "spec");
  if (change.now.As<ResourceClaimTemplate>() != nullptr) spec = MemberOf(spec, "spec");
  static constexpr FieldPath kDevices = kSpec / "devices";
  static constexpr FieldPath kRequests = kDevices / "requests";
  const auto requests = ItemsOf(MemberOf(spec, "devices"), "requests");
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!BoolOf(requests[i].Find("exactly"), "adminAccess")) continue;
    const std::string_view where = change.now.metadata().namespace_;
    if (change.context.admin_namespaces->AllowsAdminAccess(where)) return;
    const FieldPath request_path = kRequests[i];
    return errors.Forbidden(request_path / "adminAccess",
                            "admin access to devices requires the "
                            "`resource.kubernetes.io/admin-access: true` label on the containing "
                            "namespace");
  }
}

void ValidateResourceClaim(const KindChange& change, FieldErrors& errors) {
  const Value* const spec = MemberOf(change.tree(), "spec");
  if (change.before != nullptr) {
    // The spec is immutable, so other errors in it could not be fixed.
    if (SameMeaning(spec, MemberOf(change.old_tree(), "spec"))) return;
    return errors.Invalid(kSpec, BadValue::Null(), "field is immutable");
  }
  DeviceFindings out{.coded = errors};
  CheckDeviceClaim(MemberOf(spec, "devices"), DeviceTolerationOptions(change.context, nullptr),
                   kSpec / "devices", out);
  out.Finish();
}

void ValidateResourceClaimTemplate(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kClaimSpec = kSpec / "spec";
  const Value* const spec = MemberOf(change.tree(), "spec");
  const Value* const before = MemberOf(change.old_tree(), "spec");
  const bool is_changed = change.before != nullptr && !SameMeaning(spec, before);
  DeviceFindings out{.coded = errors, .is_changed = change.before == nullptr || is_changed};
  CheckTemplateMetadata(spec, kSpec / "metadata", errors);
  CheckDeviceClaim(
      MemberOf(MemberOf(spec, "spec"), "devices"),
      DeviceTolerationOptions(change.context, MemberOf(MemberOf(before, "spec"), "devices")),
      kClaimSpec / "devices", out);
  if (is_changed) {
    errors.Invalid(kSpec,
                   spec != nullptr
                       ? BadValue::Json(InternalJson(GoType::ResourceClaimTemplateSpec, *spec))
                       : BadValue::Null(),
                   "field is immutable");
  }
  out.Finish();
}

}  // namespace plimsoll::api
