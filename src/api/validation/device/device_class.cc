#include <string>

#include "api/validation/device/device_checks.h"
#include "api/validation/device/names.h"
#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/resource_names.h"
#include "api/validation/tree_reads.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::size_t kConfigsMax = 32;

/// Checks the extended resource name, by which pods request devices without a claim.
void CheckExtendedResource(const Value* name, const FieldPath& at, DeviceFindings& out) {
  if (name == nullptr || IsExtendedResource(name->text())) return;
  const std::string_view text = name->text();
  if (!out.is_changed) {
    return out.coded.Invalid(at, text, "must be a valid extended resource name");
  }
  if (!text.contains('/')) {
    out.declared.Invalid(at, text,
                         "a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  } else if (text.contains("kubernetes.io/")) {
    out.declared.Invalid(at, text, "must not have \"kubernetes.io/\" domain");
  }
  if (text.starts_with("requests.")) {
    out.declared.Invalid(at, text, "must not have \"requests.\" prefix");
  }
  AddFaults(at, text, CheckQualifiedName("requests." + std::string(text)), out.declared);
}

}  // namespace

void ValidateDeviceClass(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kMetadata("metadata");
  static constexpr FieldPath kSpec("spec");
  const SpecChange spec_change(change);
  const Value* const spec = spec_change.now;
  DeviceFindings out{.coded = errors};
  const std::string_view name = change.now.metadata().name;
  out.is_changed = change.before == nullptr || change.before->metadata().name != name;
  if (!name.empty()) AddFaults(kMetadata / "name", name, CheckLongName(name), out.Declared());

  out.is_changed = spec_change.IsChanged("selectors");
  CheckDeviceSelectors(ItemsOf(spec, "selectors"), !out.is_changed, kSpec / "selectors", out);

  const FieldPath config_path = kSpec / "config";
  out.is_changed = spec_change.IsChanged("config");
  const auto configs = ItemsOf(spec, "config");
  if (CheckCount(configs.size(), kConfigsMax, config_path, out.Declared())) {
    for (std::size_t i = 0; i < configs.size(); ++i) {
      CheckConfiguration(configs[i], !out.is_changed, config_path[i], out);
    }
  }
  out.is_changed = spec_change.IsChanged("extendedResourceName");
  CheckExtendedResource(MemberOf(spec, "extendedResourceName"), kSpec / "extendedResourceName",
                        out);
  out.Finish();
}

}  // namespace plimsoll::api
