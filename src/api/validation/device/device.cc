#include "api/validation/device/device.h"

#include <algorithm>
#include <array>
#include <string>

#include "api/validation/device/capacity.h"
#include "api/validation/device/device_checks.h"
#include "api/validation/device/go_value.h"
#include "api/validation/device/names.h"
#include "api/validation/field_checks.h"
#include "api/validation/node_selector.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"
#include "base/semver.h"

namespace plimsoll::api {
namespace {

using codec::Member;
using codec::Value;

constexpr std::size_t kNamedFactsMax = 32;
constexpr std::size_t kAttributeValuesMax = 48;
constexpr std::size_t kAttributeBytesMax = 64;
constexpr std::size_t kTaintsMax = 16;
constexpr std::size_t kCountersMax = 32;
constexpr std::size_t kShownKeyBytesMax = kDriverNameBytesMax + 1 + 32;

constexpr CounterSetRules kConsumptions{
    .count_max = 2, .name_field = "counterSet", .type = GoType::DeviceCounterConsumption};

constexpr std::array<std::string_view, 8> kAttributeForms = {
    "int", "bool", "string", "version", "ints", "bools", "strings", "versions"};
constexpr std::array<std::string_view, 4> kListForms = {"ints", "bools", "strings", "versions"};

/// Returns a key for a path, with the middle of a long key elided.
std::string ShownKey(std::string_view key) {
  if (key.size() <= kShownKeyBytesMax) return std::string(key);
  const std::size_t rest = kShownKeyBytesMax - 3;
  std::string out(key.substr(0, (rest + 1) / 2));
  return out.append("...").append(key.substr(key.size() - rest / 2));
}

void CheckText(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  if (text.size() > kAttributeBytesMax) errors.TooLong(at, kAttributeBytesMax);
}

/// Matches a version whose numbers may be longer than a Semver can hold.
bool LooksLikeVersion(std::string_view text) {
  for (int part = 0; part < 3; ++part) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || (digits > 1 && text[0] == '0')) return false;
    text.remove_prefix(digits);
    if (part == 2) break;
    if (text.empty() || text[0] != '.') return false;
    text.remove_prefix(1);
  }
  if (text.empty()) return true;
  // The check of the suffix does not depend on the numbers.
  return (text[0] == '-' || text[0] == '+') && ParseSemver("0.0.0" + std::string(text)).has_value();
}

void CheckVersion(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  if (!LooksLikeVersion(text)) {
    errors.Invalid(at, text, "must be a string compatible with semver.org spec 2.0.0");
  }
  CheckText(text, at, errors);
}

void CheckAttributeList(const Value& attribute, std::string_view form, const FieldPath& at,
                        DeviceFindings& out) {
  const Value* const list = attribute.Find(form);
  if (list == nullptr) return;
  const FieldPath list_path = at / form;
  const auto items = list->items();
  if (items.empty()) {
    out.coded.Invalid(list_path, BadValue::Json("[]"), "must not be empty if specified");
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (form == "strings") CheckText(items[i].text(), list_path[i], out.Declared());
    if (form == "versions") CheckVersion(items[i].text(), list_path[i], out.coded);
  }
}

/// Checks that the attribute has exactly one value.
void CheckForm(const Value& attribute, const FieldPath& at, DeviceFindings& out) {
  std::vector<std::string_view> set;
  for (const std::string_view form : kAttributeForms) {
    if (attribute.Find(form) != nullptr) set.push_back(form);
  }
  if (set.size() == 1) return;
  if (!out.is_changed) {
    BadValue shown = set.empty() ? BadValue::String("")
                                 : BadValue::Json(InternalJson(GoType::DeviceAttribute, attribute));
    return out.coded.Invalid(at, std::move(shown), "exactly one value must be specified");
  }
  const std::string forms = Listed(kAttributeForms, "`");
  if (set.empty()) return out.declared.Invalid(at, "", "must specify one of: " + forms);
  out.declared.Invalid(at, "{" + Listed(set, "") + "}", "must specify exactly one of: " + forms);
}

void CheckAttribute(const Value& attribute, const FieldPath& at, DeviceFindings& out) {
  if (const Value* const text = attribute.Find("string")) {
    CheckText(text->text(), at / "string", out.coded);
  }
  if (const Value* const version = attribute.Find("version")) {
    CheckVersion(version->text(), at / "version", out.coded);
  }
  for (const std::string_view form : kListForms) CheckAttributeList(attribute, form, at, out);
  CheckForm(attribute, at, out);
}

std::size_t CountAttributeValues(const Value& device) {
  std::size_t count = 0;
  for (const Member& attribute : MembersOf(&device, "attributes")) {
    std::size_t listed = 0;
    for (const std::string_view form : kListForms) {
      listed += ItemsOf(&attribute.value, form).size();
    }
    count += std::max<std::size_t>(listed, 1);
  }
  return count;
}

void CheckFactCounts(const Value& device, const FieldPath& at, FieldErrors& errors) {
  const auto limit = [&](std::size_t count, std::size_t count_max, std::string_view what) {
    if (count <= count_max) return;
    errors.Invalid(at, BadValue::Int(static_cast<std::int64_t>(count)),
                   "the total number of " + std::string(what) + " must not exceed " +
                       std::to_string(count_max));
  };
  limit(MembersOf(&device, "attributes").size() + MembersOf(&device, "capacity").size(),
        kNamedFactsMax, "attributes and capacities");
  limit(CountAttributeValues(device), kAttributeValuesMax, "attribute values");
}

void CheckAttributes(const Value& device, const FieldPath& at, DeviceFindings& out) {
  for (const Member& attribute : MembersOf(&device, "attributes")) {
    CheckQualifiedAttribute(attribute.key, at, out.coded);
    const std::string key = ShownKey(attribute.key);
    CheckAttribute(attribute.value, at.Key(key), out);
  }
}

void CheckCapacities(const Value& device, const FieldPath& at, FieldErrors& errors) {
  const bool is_shared = BoolOf(&device, "allowMultipleAllocations");
  for (const Member& capacity : MembersOf(&device, "capacity")) {
    CheckQualifiedAttribute(capacity.key, at, errors);
    if (capacity.value.Find("requestPolicy") == nullptr) continue;
    const std::string key = ShownKey(capacity.key);
    const FieldPath capacity_path = at.Key(key);
    const FieldPath policy_path = capacity_path / "requestPolicy";
    if (is_shared) {
      CheckRequestPolicy(capacity.value, policy_path, errors);
    } else {
      errors.Forbidden(policy_path, "allowMultipleAllocations must be true");
    }
  }
}

void CheckCounters(const Value& holder, const FieldPath& at, DeviceFindings& out) {
  const FieldPath counters_path = at / "counters";
  const auto counters = MembersOf(&holder, "counters");
  if (counters.empty()) return out.Declared().Required(counters_path, "");
  if (!CheckCount(counters.size(), kCountersMax, counters_path, out.coded)) return;
  for (const Member& counter : counters) {
    CheckShortName(counter.key, counters_path, out.Declared());
  }
}

void CheckTaints(const Value& device, const Value* before, const FieldPath& at,
                 DeviceFindings& out) {
  if (before != nullptr && SameMeaning(device.Find("taints"), before->Find("taints"))) return;
  const auto taints = ItemsOf(&device, "taints");
  if (!CheckCount(taints.size(), kTaintsMax, at, out.coded)) return;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    CheckDeviceTaint(&taints[i], nullptr, at[i], out);
  }
}

/// Checks the node selection of a device when the slice has perDeviceNodeSelection.
void CheckOwnNodes(const Value& device, const FieldPath& at, FieldErrors& errors) {
  static constexpr std::string_view kOneOf =
      "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when "
      "`perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  std::vector<std::string_view> set;
  if (const Value* const name = device.Find("nodeName")) {
    if (name->text().empty()) {
      errors.Invalid(at / "nodeName", "", "must not be empty");
    } else {
      set.push_back("nodeName");
      AddFaults(at / "nodeName", name->text(), CheckDns1123Subdomain(name->text()), errors);
    }
  }
  if (device.Find("nodeSelector") != nullptr) {
    set.push_back("nodeSelector");
    ValidateNodeSelector(DecodedOf<NodeSelector>(&device, "nodeSelector"), {}, at / "nodeSelector",
                         errors);
  }
  if (const Value* const all = device.Find("allNodes")) {
    if (all->AsBool()) {
      set.push_back("allNodes");
    } else {
      errors.Invalid(at / "allNodes", BadValue::Bool(false), "must be either unset or set to true");
    }
  }
  if (set.empty()) return errors.Required(at, kOneOf);
  if (set.size() > 1) errors.Invalid(at, "{" + Listed(set, "`") + "}", kOneOf);
}

void CheckNodes(const Value& device, bool slice_leaves_nodes_to_devices, const FieldPath& at,
                FieldErrors& errors) {
  if (slice_leaves_nodes_to_devices) return CheckOwnNodes(device, at, errors);
  if (device.Find("nodeName") == nullptr && device.Find("nodeSelector") == nullptr &&
      device.Find("allNodes") == nullptr) {
    return;
  }
  errors.Invalid(at, BadValue::Null(),
                 "`nodeName`, `nodeSelector` and `allNodes` can only be set if "
                 "`perDeviceNodeSelection` is set to true in the ResourceSlice spec");
}

}  // namespace

std::string Listed(std::span<const std::string_view> names, std::string_view quote) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += ", ";
    out.append(quote).append(name).append(quote);
  }
  return out;
}

void CheckCounterSets(std::span<const Value> sets, const CounterSetRules& rules,
                      const FieldPath& at, DeviceFindings& out) {
  if (!CheckCount(sets.size(), rules.count_max, at, out.Declared())) return;
  SeenTexts seen;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const FieldPath set_path = at[i];
    const FieldPath name_path = set_path / rules.name_field;
    const std::string_view name = TextOf(&sets[i], rules.name_field);
    if (name.empty()) {
      out.Declared().Required(name_path, "");
    } else {
      CheckShortName(name, name_path, out.Declared());
    }
    CheckCounters(sets[i], set_path, out);
    if (seen.Insert(name)) continue;
    out.Declared().Duplicate(set_path, out.is_changed
                                           ? BadValue::Json(VersionedJson(rules.type, sets[i]))
                                           : BadValue::String(name));
  }
}

void CheckDevice(const Value& device, const Value* before, bool slice_leaves_nodes_to_devices,
                 const FieldPath& at, DeviceFindings& out) {
  CheckShortName(TextOf(&device, "name"), at / "name", out.coded);
  CheckFactCounts(device, at, out.coded);
  CheckAttributes(device, at / "attributes", out);
  if (before == nullptr || !SameMeaning(device.Find("capacity"), before->Find("capacity"))) {
    CheckCapacities(device, at / "capacity", out.coded);
  }
  CheckCounterSets(ItemsOf(&device, "consumesCounters"), kConsumptions, at / "consumesCounters",
                   out);
  CheckTaints(device, before, at / "taints", out);
  CheckNodes(device, slice_leaves_nodes_to_devices, at, out.coded);
  CheckBindingConditions(device, at, out);
}

bool IsAdvanced(const Value& device) {
  if (!ItemsOf(&device, "taints").empty() || !ItemsOf(&device, "consumesCounters").empty()) {
    return true;
  }
  return std::ranges::any_of(MembersOf(&device, "attributes"), [](const Member& attribute) {
    return std::ranges::any_of(
        kListForms, [&](std::string_view form) { return attribute.value.Find(form) != nullptr; });
  });
}

}  // namespace plimsoll::api
