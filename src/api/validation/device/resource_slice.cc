#include <string>
#include <string_view>
#include <vector>

#include "api/validation/device/device.h"
#include "api/validation/device/device_checks.h"
#include "api/validation/device/go_value.h"
#include "api/validation/device/names.h"
#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/kind_checks.h"
#include "api/validation/node_selector.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::size_t kDevicesMax = 128;
constexpr std::size_t kAdvancedDevicesMax = 64;
constexpr CounterSetRules kSharedCounters{
    .count_max = 8, .name_field = "name", .type = GoType::CounterSet};
constexpr std::size_t kTaintsMax = 32;

void CheckPool(const Value* pool, const FieldPath& at, FieldErrors& errors) {
  CheckPoolName(TextOf(pool, "name"), at / "name", errors);
  const std::int64_t count = IntOf(pool, "resourceSliceCount").value_or(0);
  if (count <= 0) {
    errors.Invalid(at / "resourceSliceCount", BadValue::Int(count), "must be greater than zero");
  }
  const std::int64_t generation = IntOf(pool, "generation").value_or(0);
  if (generation < 0) {
    errors.Invalid(at / "generation", BadValue::Int(generation),
                   "must be greater than or equal to zero");
  }
}

/// Driver, pool and node identify a slice and are immutable.
void CheckIdentity(const Value* spec, const Value* before, const FieldPath& at,
                   FieldErrors& errors) {
  const auto same = [&](std::string_view now, std::string_view then, const FieldPath& path) {
    if (now != then) errors.Invalid(path, now, "field is immutable");
  };
  const FieldPath pool_path = at / "pool";
  same(TextOf(MemberOf(spec, "pool"), "name"), TextOf(MemberOf(before, "pool"), "name"),
       pool_path / "name");
  same(TextOf(spec, "driver"), TextOf(before, "driver"), at / "driver");
  const Value* const now = MemberOf(spec, "nodeName");
  const Value* const then = MemberOf(before, "nodeName");
  if ((now == nullptr) == (then == nullptr) &&
      TextOf(spec, "nodeName") == TextOf(before, "nodeName")) {
    return;
  }
  errors.Invalid(at / "nodeName", now != nullptr ? BadValue::String(now->text()) : BadValue::Null(),
                 "field is immutable");
}

void CheckFlag(const Value* spec, std::string_view name, std::vector<std::string_view>& set,
               const FieldPath& at, FieldErrors& errors) {
  const Value* const flag = MemberOf(spec, name);
  if (flag == nullptr) return;
  if (flag->AsBool()) {
    set.push_back(name);
  } else {
    errors.Invalid(at / name, BadValue::Bool(false), "must be either unset or set to true");
  }
}

void CheckSliceSelector(const Value* spec, const FieldPath& at, FieldErrors& errors) {
  const NodeSelector selector = DecodedOf<NodeSelector>(spec, "nodeSelector");
  ValidateNodeSelector(selector, {}, at, errors);
  // The selectors of several slices are combined, which needs exactly one term each.
  if (selector.terms.size() == 1) return;
  errors.Invalid(at / "nodeSelectorTerms",
                 BadValue::Json(selector.terms.empty() ? "[]" : GoJson(std::span(selector.terms))),
                 "must have exactly one node selector term");
}

/// Checks that exactly one of the four ways to select nodes is used.
void CheckNodes(const Value* spec, const FieldPath& at, FieldErrors& errors) {
  static constexpr std::string_view kOneOf =
      "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  std::vector<std::string_view> set;
  if (const Value* const name = MemberOf(spec, "nodeName")) {
    if (name->text().empty()) {
      errors.Invalid(at / "nodeName", "", "must be either unset or set to a non-empty string");
    } else {
      set.push_back("nodeName");
      AddFaults(at / "nodeName", name->text(), CheckDns1123Subdomain(name->text()), errors);
    }
  }
  if (MemberOf(spec, "nodeSelector") != nullptr) {
    set.push_back("nodeSelector");
    CheckSliceSelector(spec, at / "nodeSelector", errors);
  }
  CheckFlag(spec, "allNodes", set, at, errors);
  CheckFlag(spec, "perDeviceNodeSelection", set, at, errors);
  if (set.empty()) return errors.Required(at, kOneOf);
  if (set.size() == 1) return;
  errors.Invalid(at, "{" + Listed(set, "`") + "}",
                 std::string(kOneOf) + ", but multiple fields are set");
}

const Value* FindDevice(const Value* spec, std::string_view name) {
  for (const Value& device : ItemsOf(spec, "devices")) {
    if (TextOf(&device, "name") == name) return &device;
  }
  return nullptr;
}

void CheckDevices(const Value* spec, const Value* before, const FieldPath& at,
                  DeviceFindings& out) {
  const auto devices = ItemsOf(spec, "devices");
  const bool is_advanced = std::ranges::any_of(devices, IsAdvanced);
  const std::size_t count_max = is_advanced ? kAdvancedDevicesMax : kDevicesMax;
  if (!CheckCount(devices.size(), count_max, at, out.coded)) return;
  const bool is_per_device = BoolOf(spec, "perDeviceNodeSelection");
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Value* const then = FindDevice(before, TextOf(&devices[i], "name"));
    CheckDevice(devices[i], then, is_per_device, at[i], out);
  }
  SeenTexts seen;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string_view name = TextOf(&devices[i], "name");
    if (!seen.Insert(name)) out.coded.Duplicate(at[i], BadValue::String(name));
  }
}

/// Checks taints that refer to devices by name. The devices need not exist.
void CheckSliceTaints(const Value* spec, const FieldPath& at, DeviceFindings& out) {
  const auto taints = ItemsOf(spec, "taints");
  if (!CheckCount(taints.size(), kTaintsMax, at, out.coded)) return;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const FieldPath item_path = at[i];
    const std::string_view device = TextOf(&taints[i], "device");
    if (device.empty()) {
      out.coded.Required(item_path / "device", "");
    } else {
      CheckShortName(device, item_path / "device", out.coded);
    }
    CheckDeviceTaint(taints[i].Find("taint"), nullptr, item_path / "taint", out);
  }
}

}  // namespace

void ValidateResourceSlice(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kSpec("spec");
  const SpecChange spec_change(change);
  const auto& [spec, before, is_new] = spec_change;
  DeviceFindings out{.coded = errors};
  CheckDriverName(TextOf(spec, "driver"), kSpec / "driver", errors);
  CheckPool(MemberOf(spec, "pool"), kSpec / "pool", errors);
  if (!is_new) CheckIdentity(spec, before, kSpec, errors);
  CheckNodes(spec, kSpec, errors);
  if (MemberOf(spec, "sharedCounters") != nullptr && MemberOf(spec, "devices") != nullptr) {
    errors.Invalid(kSpec, "", "only one of `sharedCounters` or `devices` is allowed");
  }
  if (!ItemsOf(spec, "taints").empty() && !ItemsOf(spec, "devices").empty()) {
    errors.Invalid(kSpec, "", "only one of `taints` or `devices` is allowed");
  }
  out.is_changed = spec_change.IsChanged("devices");
  CheckDevices(spec, before, kSpec / "devices", out);
  out.is_changed = spec_change.IsChanged("sharedCounters");
  CheckCounterSets(ItemsOf(spec, "sharedCounters"), kSharedCounters, kSpec / "sharedCounters", out);
  if (spec_change.IsChanged("taints")) {
    out.is_changed = true;
    CheckSliceTaints(spec, kSpec / "taints", out);
  }
  out.Finish();
}

}  // namespace plimsoll::api
