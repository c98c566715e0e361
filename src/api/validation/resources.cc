#include "api/validation/resources.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "api/validation/field_checks.h"
#include "api/validation/labels.h"
#include "api/validation/resource_names.h"

namespace plimsoll::api {
namespace {

using NameCheck = void (*)(std::string_view name, const FieldPath& at, FieldErrors& errors);

/// Returns true if the syntax of the name is valid.
bool ValidateResourceName(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  ValidateLabelName(name, at, errors);
  if (errors.size() > errors_before) return false;
  if (name.contains('/') || IsStandardResource(name)) return true;
  errors.Invalid(at, BadValue::TypedString(name),
                 "must be a standard resource type or fully qualified");
  return false;
}

void ValidateContainerResourceName(std::string_view name, const FieldPath& at,
                                   FieldErrors& errors) {
  ValidateResourceName(name, at, errors);
  if (!name.contains('/')) {
    if (!IsStandardContainerResource(name)) {
      errors.Invalid(at, BadValue::TypedString(name), "must be a standard resource for containers");
    }
  } else if (!IsNativeResource(name) && !IsExtendedResource(name)) {
    errors.Invalid(at, BadValue::TypedString(name),
                   "doesn't follow extended resource name standard");
  }
}

void ValidatePodResourceName(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  if (!ValidateResourceName(name, at, errors) || IsHugePageResource(name)) return;
  CheckOneOf(name, {"cpu", "memory"}, at, errors);
}

void ValidateHugePages(const ResourceAmount& amount, const PodValidationOptions& options,
                       const FieldPath& at, FieldErrors& errors) {
  if (!IsHugePageResource(amount.name) || options.allow_indivisible_huge_pages ||
      IsHugePageMultiple(amount)) {
    return;
  }
  const std::string text = amount.quantity.Text();
  errors.Invalid(at, text,
                 text + " is not positive integer multiple of " + std::string(amount.name));
}

using AmountsByName = std::map<std::string_view, const ResourceAmount*>;

AmountsByName ByName(const ResourceList& list) {
  AmountsByName amounts;
  for (const ResourceAmount& amount : list) amounts.try_emplace(amount.name, &amount);
  return amounts;
}

const ResourceAmount* FindAmount(const AmountsByName& amounts, std::string_view name) {
  const auto found = amounts.find(name);
  return found == amounts.end() ? nullptr : found->second;
}

void ValidateAgainstLimit(const ResourceAmount& request, const AmountsByName& limits,
                          const FieldPath& requests_path, const FieldPath& limits_path,
                          FieldErrors& errors) {
  const ResourceAmount* limit = FindAmount(limits, request.name);
  const bool may_differ = IsOvercommitAllowed(request.name);
  if (limit == nullptr) {
    if (may_differ) return;
    return errors.Required(limits_path, "Limit must be set for non overcommitable resources");
  }
  const std::strong_ordering order = request.quantity.Compare(limit->quantity);
  if (order == 0 || (order < 0 && may_differ)) return;
  errors.Invalid(requests_path, request.quantity.Text(),
                 (may_differ ? "must be less than or equal to " : "must be equal to ") +
                     std::string(request.name) + " limit of " + limit->quantity.Text());
}

void ValidateAmounts(const ResourceRequirements& resources, NameCheck check_name,
                     const PodValidationOptions& options, const FieldPath& at,
                     FieldErrors& errors) {
  const FieldPath limits_path = at / "limits";
  const FieldPath requests_path = at / "requests";
  bool has_compute = false;
  bool has_huge_pages = false;
  const auto note = [&](std::string_view name) {
    has_compute |= name == "cpu" || name == "memory";
    has_huge_pages |= IsHugePageResource(name);
  };
  for (const ResourceAmount& limit : resources.limits) {
    const FieldPath limit_path = limits_path.Key(limit.name);
    check_name(limit.name, limit_path, errors);
    ValidateAmount(limit, limit_path, errors);
    ValidateHugePages(limit, options, limit_path, errors);
    note(limit.name);
  }
  const AmountsByName limits = ByName(resources.limits);
  for (const ResourceAmount& request : resources.requests) {
    const FieldPath request_path = requests_path.Key(request.name);
    check_name(request.name, request_path, errors);
    ValidateAmount(request, request_path, errors);
    ValidateAgainstLimit(request, limits, requests_path, limits_path, errors);
    ValidateHugePages(request, options, request_path, errors);
    note(request.name);
  }
  if (has_huge_pages && !has_compute) errors.Forbidden(at, "HugePages require cpu or memory");
}

void ReportUnknownClaim(std::string_view name, const ClaimNames& known, const FieldPath& at,
                        FieldErrors& errors) {
  if (known.contains(name)) return;
  std::string detail = "must be one of the names in pod.spec.resourceClaims";
  if (known.empty()) {
    detail += " which is empty";
  } else {
    // Each error about an unknown name repeats the list, so the list is truncated.
    constexpr std::size_t kShownMax = 100;
    std::string list;
    std::size_t shown = 0;
    for (const std::string_view one : known) {
      if (++shown > kShownMax) break;
      list.append(list.empty() ? ": " : ", ").append(one);
    }
    detail += list;
    if (shown > kShownMax) detail += ", ...";
  }
  errors.Add({FieldErrorType::NotFound, at.Text(), BadValue::String(name), std::move(detail)});
}

/// A claim may be listed once as a whole, or once per request.
void ReportRepeatedClaim(const ContainerResourceClaim& claim, std::set<std::string>& seen,
                         const FieldPath& at, FieldErrors& errors) {
  const std::string name(claim.name);
  if (seen.contains(name)) return errors.Duplicate(at, BadValue::String(name));
  std::string key = name;
  if (!claim.request.empty()) {
    AddFaults(at / "request", claim.request, CheckDns1123Label(claim.request), errors);
    key.append("/").append(claim.request);
  } else {
    const std::string prefix = name + "/";
    for (auto it = seen.lower_bound(prefix); it != seen.end() && it->starts_with(prefix); ++it) {
      errors.Duplicate(at, BadValue::String(name));
    }
  }
  if (!seen.insert(key).second) errors.Duplicate(at, BadValue::String(key));
}

void ValidateClaims(std::span<const ContainerResourceClaim> claims, const ClaimNames& pod_claims,
                    const FieldPath& at, FieldErrors& errors) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const FieldPath claim_path = at[i];
    if (claims[i].name.empty()) {
      errors.Required(claim_path, "");
      continue;
    }
    ReportRepeatedClaim(claims[i], seen, claim_path, errors);
    ReportUnknownClaim(claims[i].name, pod_claims, claim_path, errors);
  }
}

using Sums = std::map<std::string_view, Quantity>;

void AddTo(Sums& sums, const ResourceList& list) {
  for (const ResourceAmount& amount : list) {
    const auto [found, is_new] = sums.emplace(amount.name, amount.quantity);
    if (!is_new) found->second.Add(amount.quantity);
  }
}

void RaiseTo(Sums& sums, const Sums& floor) {
  for (const auto& [name, quantity] : floor) {
    const auto [found, is_new] = sums.emplace(name, quantity);
    if (!is_new && found->second.Compare(quantity) < 0) found->second = quantity;
  }
}

/// Returns the peak request of the containers: all that run together, or one init container with
/// the sidecars started before it, whichever is greater.
Sums ContainerRequests(const PodSpec& spec) {
  Sums running;
  for (const Container& container : spec.containers) AddTo(running, container.resources.requests);
  Sums sidecars;
  Sums initial;
  for (const Container& container : spec.init_containers) {
    if (container.restart_policy == "Always") {
      AddTo(running, container.resources.requests);
      AddTo(sidecars, container.resources.requests);
    }
    // Only resources that this container requests can exceed the previous peak.
    for (const ResourceAmount& amount : container.resources.requests) {
      Quantity needed = amount.quantity;
      const auto beside = sidecars.find(amount.name);
      if (container.restart_policy == "Always") {
        needed = beside->second;
      } else if (beside != sidecars.end()) {
        needed.Add(beside->second);
      }
      RaiseTo(initial, {{amount.name, needed}});
    }
  }
  RaiseTo(running, initial);
  return running;
}

void ValidateConsistency(const PodSpec& spec, const FieldPath& at, FieldErrors& errors) {
  const FieldPath requests_path = at / "requests";
  for (const auto& [name, needed] : ContainerRequests(spec)) {
    const ResourceAmount* given = FindAmount(spec.resources->requests, name);
    const Quantity quantity = given != nullptr ? given->quantity : Quantity();
    if (needed.Compare(quantity) <= 0) continue;
    errors.Invalid(
        requests_path.Key(name), quantity.Text(),
        "must be greater than or equal to aggregate container requests of " + needed.Text());
  }
  const FieldPath containers_path = at / "containers";
  const AmountsByName pod_limits = ByName(spec.resources->limits);
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    const FieldPath container_path = containers_path[i];
    for (const ResourceAmount& limit : spec.containers[i].resources.limits) {
      const ResourceAmount* pod_limit = FindAmount(pod_limits, limit.name);
      if (pod_limit == nullptr || limit.quantity.Compare(pod_limit->quantity) <= 0) continue;
      const FieldPath key_path = container_path.Key(limit.name);
      errors.Invalid(key_path / "limits", limit.quantity.Text(),
                     "must be less than or equal to pod limits of " + pod_limit->quantity.Text());
    }
  }
}

}  // namespace

ClaimNames NamesOf(std::span<const PodResourceClaim> claims) {
  ClaimNames names;
  for (const PodResourceClaim& claim : claims) {
    if (!claim.name.empty()) names.insert(claim.name);
  }
  return names;
}

const ResourceAmount* FindAmount(const ResourceList& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &ResourceAmount::name);
  return found == list.end() ? nullptr : &*found;
}

void ValidateAmount(const ResourceAmount& amount, const FieldPath& at, FieldErrors& errors) {
  if (amount.quantity.sign() < 0) {
    errors.Invalid(at, amount.quantity.Text(), "must be greater than or equal to 0");
  }
  if (IsIntegerResource(amount.name) && amount.quantity.MilliValue() % 1000 != 0) {
    errors.Invalid(at, BadValue::TypedString(amount.quantity.Text()), "must be an integer");
  }
}

void ValidateContainerResources(const ResourceRequirements& resources, const ClaimNames& pod_claims,
                                const PodValidationOptions& options, const FieldPath& at,
                                FieldErrors& errors) {
  ValidateAmounts(resources, ValidateContainerResourceName, options, at, errors);
  ValidateClaims(resources.claims, pod_claims, at / "claims", errors);
}

void ValidatePodResources(const PodSpec& spec, const PodValidationOptions& options,
                          const FieldPath& at, FieldErrors& errors) {
  if (!spec.resources) return;
  const FieldPath claims_path = at / "claims";
  if (!spec.resources->claims.empty()) {
    errors.Forbidden(claims_path, "claims cannot be set for Resources at pod-level");
  }
  ValidateAmounts(*spec.resources, ValidatePodResourceName, options, at, errors);
  ValidateClaims(spec.resources->claims, NamesOf(spec.resource_claims), claims_path, errors);
  ValidateConsistency(spec, at, errors);
}

void ValidateOverhead(const ResourceList& overhead, const PodValidationOptions& options,
                      const FieldPath& at, FieldErrors& errors) {
  if (overhead.empty()) return;
  // Overhead is validated and reported like the limits of a container.
  const ResourceRequirements as_limits{.limits = overhead};
  ValidateAmounts(as_limits, ValidateContainerResourceName, options, at, errors);
}

}  // namespace plimsoll::api
