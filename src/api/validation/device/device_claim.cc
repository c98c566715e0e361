#include "api/validation/device/device_claim.h"

#include <span>
#include <string>

#include "api/core/toleration.h"
#include "api/resource/resource_claim.h"
#include "api/validation/device/device_checks.h"
#include "api/validation/device/go_value.h"
#include "api/validation/device/names.h"
#include "api/validation/field_checks.h"
#include "api/validation/list_limits.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::size_t kRequestsMax = 32;
constexpr std::size_t kSubRequestsMax = 8;
constexpr std::string_view kNoRequest =
    "must be the name of a request in the claim or the name of a request and a subrequest "
    "separated by '/'";

/// Checks that names are unique, in the words of the rule that applies.
void CheckUniqueNames(std::span<const Value> items, GoType type, const FieldPath& at,
                      DeviceFindings& out) {
  SeenTexts seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string_view name = TextOf(&items[i], "name");
    if (seen.Insert(name)) continue;
    out.Declared().Duplicate(at[i], out.is_changed ? BadValue::Json(VersionedJson(type, items[i]))
                                                   : BadValue::String(name));
  }
}

void CheckAllocationMode(const Value& request, const FieldPath& at, DeviceFindings& out) {
  const std::string_view mode = TextOf(&request, "allocationMode");
  const std::int64_t count = IntOf(&request, "count").value_or(0);
  if (mode == allocation_mode::kAll) {
    if (count == 0) return;
    return out.coded.Invalid(at / "count", BadValue::Int(count),
                             "must not be specified when allocationMode is 'All'");
  }
  if (mode == allocation_mode::kExactCount) {
    if (count > 0) return;
    return out.coded.Invalid(at / "count", BadValue::Int(count), "must be greater than zero");
  }
  CheckOneOf(mode, {allocation_mode::kAll, allocation_mode::kExactCount}, at / "allocationMode",
             out.Declared());
}

/// Checks the fields common to `exactly` and a sub-request, except the class.
void CheckDetails(const Value& request, const PodValidationOptions& options, const FieldPath& at,
                  DeviceFindings& out) {
  const std::uint64_t of_selectors =
      CheckDeviceSelectors(ItemsOf(&request, "selectors"), false, at / "selectors", out);
  CheckAllocationMode(request, at, out);
  const FieldPath tolerations_path = at / "tolerations";
  const std::span<const Value> tolerations = ItemsOf(&request, "tolerations");
  CheckDeviceTolerations(tolerations, options, tolerations_path, out);
  const std::uint64_t cost = of_selectors + CostOfDeviceTolerations(tolerations, options);
  if (of_selectors <= kExpressionsCostMax && cost > kExpressionsCostMax) {
    out.coded.Forbidden(tolerations_path, TooCostlyText(cost));
  }
}

void CheckExact(const Value& request, const PodValidationOptions& options, const FieldPath& at,
                DeviceFindings& out) {
  const std::string_view class_name = TextOf(&request, "deviceClassName");
  const FieldPath class_path = at / "deviceClassName";
  if (class_name.empty()) {
    out.coded.Required(class_path, "");
  } else {
    AddFaults(class_path, class_name, CheckDns1123Subdomain(class_name), out.coded);
  }
  CheckDetails(request, options, at, out);
}

void CheckSubRequest(const Value& request, const PodValidationOptions& options, const FieldPath& at,
                     DeviceFindings& out) {
  CheckShortName(TextOf(&request, "name"), at / "name", out.coded);
  const std::string_view class_name = TextOf(&request, "deviceClassName");
  const FieldPath class_path = at / "deviceClassName";
  if (class_name.empty()) {
    out.Declared().Required(class_path, "");
  } else {
    AddFaults(class_path, class_name,
              out.is_changed ? CheckLongName(class_name) : CheckDns1123Subdomain(class_name),
              out.Declared());
  }
  CheckDetails(request, options, at, out);
}

void CheckSubRequests(std::span<const Value> requests, const PodValidationOptions& options,
                      const FieldPath& at, DeviceFindings& out) {
  if (!CheckCount(requests.size(), kSubRequestsMax, at, out.Declared())) return;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    CheckSubRequest(requests[i], options, at[i], out);
  }
  CheckUniqueNames(requests, GoType::DeviceSubRequest, at, out);
}

void CheckRequest(const Value& request, const PodValidationOptions& options, const FieldPath& at,
                  DeviceFindings& out) {
  CheckShortName(TextOf(&request, "name"), at / "name", out.coded);
  const auto alternatives = ItemsOf(&request, "firstAvailable");
  const Value* const exactly = request.Find("exactly");
  if (exactly == nullptr && alternatives.empty()) {
    return out.coded.Required(at, "exactly one of `exactly` or `firstAvailable` is required");
  }
  if (exactly != nullptr && !alternatives.empty()) {
    return out.coded.Invalid(at, BadValue::Null(),
                             "exactly one of `exactly` or `firstAvailable` is required, but "
                             "multiple fields are set");
  }
  if (exactly == nullptr) {
    return CheckSubRequests(alternatives, options, at / "firstAvailable", out);
  }
  CheckExact(*exactly, options, at / "exactly", out);
}

void CheckConstraint(const Value& constraint, const RequestNames& names, const FieldPath& at,
                     DeviceFindings& out) {
  names.CheckList(constraint, at, out);
  for (const std::string_view field : {"matchAttribute", "distinctAttribute"}) {
    const Value* const attribute = constraint.Find(field);
    if (attribute == nullptr) continue;
    return CheckFullyQualifiedAttribute(attribute->text(), at / field, out.Declared());
  }
  out.coded.Required(at,
                     "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but "
                     "multiple fields are set");
}

template <class Visit>
void ForEachToleration(const Value* devices, const Visit& visit) {
  const auto each = [&](const Value* request) {
    for (const Value& toleration : ItemsOf(request, "tolerations")) visit(toleration);
  };
  for (const Value& request : ItemsOf(devices, "requests")) {
    each(request.Find("exactly"));
    for (const Value& sub : ItemsOf(&request, "firstAvailable")) each(&sub);
  }
}

}  // namespace

RequestNames::RequestNames(const Value* devices) {
  for (const Value& request : ItemsOf(devices, "requests")) {
    auto& subs = names_[TextOf(&request, "name")];
    subs.clear();
    for (const Value& sub : ItemsOf(&request, "firstAvailable")) subs.insert(TextOf(&sub, "name"));
  }
}

bool RequestNames::Has(std::string_view reference) const {
  const std::size_t slash = reference.find('/');
  const auto found = names_.find(reference.substr(0, slash));
  if (found == names_.end()) return false;
  return slash == std::string_view::npos || found->second.contains(reference.substr(slash + 1));
}

void RequestNames::Check(std::string_view reference, const FieldPath& at,
                         FieldErrors& errors) const {
  const std::size_t slash = reference.find('/');
  if (slash != std::string_view::npos) {
    if (reference.find('/', slash + 1) != std::string_view::npos) {
      return errors.Invalid(at, reference, kNoRequest);
    }
    CheckShortName(reference.substr(0, slash), at, errors);
    CheckShortName(reference.substr(slash + 1), at, errors);
  } else {
    CheckShortName(reference, at, errors);
  }
  if (!Has(reference)) errors.Invalid(at, reference, kNoRequest);
}

void RequestNames::CheckList(const Value& holder, const FieldPath& at, DeviceFindings& out) const {
  const FieldPath list_path = at / "requests";
  const auto references = ItemsOf(&holder, "requests");
  if (!CheckCount(references.size(), kRequestsMax, list_path, out.Declared())) return;
  for (std::size_t i = 0; i < references.size(); ++i) {
    Check(references[i].text(), list_path[i], out.coded);
  }
  CheckUnique(references, list_path, out.Declared());
}

void CheckDeviceClaim(const Value* devices, const PodValidationOptions& options,
                      const FieldPath& at, DeviceFindings& out) {
  const RequestNames names(devices);
  const FieldPath requests_path = at / "requests";
  const auto requests = ItemsOf(devices, "requests");
  if (CheckCount(requests.size(), kRequestsMax, requests_path, out.Declared())) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      CheckRequest(requests[i], options, requests_path[i], out);
    }
    CheckUniqueNames(requests, GoType::DeviceRequest, requests_path, out);
  }
  const FieldPath constraints_path = at / "constraints";
  const auto constraints = ItemsOf(devices, "constraints");
  if (CheckCount(constraints.size(), kRequestsMax, constraints_path, out.Declared())) {
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      CheckConstraint(constraints[i], names, constraints_path[i], out);
    }
  }
  const FieldPath config_path = at / "config";
  const auto configs = ItemsOf(devices, "config");
  if (!CheckCount(configs.size(), kRequestsMax, config_path, out.Declared())) return;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const FieldPath item_path = config_path[i];
    names.CheckList(configs[i], item_path, out);
    CheckConfiguration(configs[i], false, item_path, out);
  }
}

PodValidationOptions DeviceTolerationOptions(const ValidationContext& context,
                                             const Value* before) {
  PodValidationOptions options = PodValidationOptions::For(context, nullptr);
  ForEachToleration(before, [&](const Value& toleration) {
    const auto op = ParseTolerationOperator(TextOf(&toleration, "operator"));
    options.allow_comparison_operators |= op && IsNumeric(*op);
    options.allow_semver_operators |= op && IsSemver(*op);
    options.allow_expression |= !TextOf(&toleration, "expression").empty();
  });
  return options;
}

}  // namespace plimsoll::api
