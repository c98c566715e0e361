#include "dra/compiled_claims.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/assert.h"
#include "base/go_text.h"
#include "dra/limits.h"

namespace plimsoll::dra {
namespace {

using api::DeviceRequestDetails;
using ObjectPtr = std::shared_ptr<const api::Object>;

/// Concatenates values such that different lists of values give different keys.
class KeyWriter {
 public:
  KeyWriter& Add(std::string_view text) {
    Add(static_cast<std::int64_t>(text.size()));
    key_.append(text);
    return *this;
  }
  KeyWriter& Add(std::int64_t number) {
    key_.append(reinterpret_cast<const char*>(&number), sizeof(number));
    return *this;
  }
  KeyWriter& Add(std::span<const std::string_view> texts) {
    Add(static_cast<std::int64_t>(texts.size()));
    for (const std::string_view text : texts) Add(text);
    return *this;
  }
  KeyWriter& Add(std::span<const api::Toleration> tolerations) {
    Add(static_cast<std::int64_t>(tolerations.size()));
    for (const api::Toleration& one : tolerations) {
      Add(one.key).Add(one.op).Add(one.value).Add(one.effect).Add(one.expression);
      // Without seconds a toleration never ends. The API rejects negative ones.
      Add(one.toleration_seconds.value_or(-1));
    }
    return *this;
  }
  KeyWriter& Add(const DeviceRequestDetails& details) {
    Add(details.name).Add(details.device_class_name).Add(std::span(details.selectors));
    Add(details.allocation_mode).Add(details.count).Add(details.admin_access ? 1 : 0);
    Add(std::span(details.tolerations)).Add(static_cast<std::int64_t>(details.capacity.size()));
    for (const api::NamedQuantity& amount : details.capacity) {
      Add(amount.name).Add(amount.value.Text());
    }
    return *this;
  }
  KeyWriter& Add(const api::DeviceClaim& claim) {
    Add(static_cast<std::int64_t>(claim.requests.size()));
    for (const api::DeviceRequest& request : claim.requests) {
      Add(request.name).Add(request.exactly ? 1 : 0);
      if (request.exactly) Add(*request.exactly);
      Add(static_cast<std::int64_t>(request.first_available.size()));
      for (const DeviceRequestDetails& details : request.first_available) Add(details);
    }
    Add(static_cast<std::int64_t>(claim.constraints.size()));
    for (const api::DeviceConstraint& constraint : claim.constraints) {
      Add(std::span(constraint.requests));
      Add(constraint.match_attribute.value_or("")).Add(constraint.distinct_attribute.value_or(""));
    }
    return *this;
  }
  std::string Take() { return std::move(key_); }

 private:
  std::string key_;
};

bool AppliesTo(const api::DeviceConstraint& constraint, std::string_view request,
               std::string_view full_name) {
  return constraint.requests.empty() ||
         std::ranges::find(constraint.requests, request) != constraint.requests.end() ||
         std::ranges::find(constraint.requests, full_name) != constraint.requests.end();
}

/// Returns the error of the request itself, independent of the DeviceClasses.
std::string FaultOf(const DeviceRequestDetails& details) {
  for (std::size_t i = 0; i < details.selectors.size(); ++i) {
    if (details.selectors[i].empty()) {
      return ", selector #" + std::to_string(i) +
             ": CEL expression empty (unsupported selector type?)";
    }
  }
  if (details.device_class_name.empty()) {
    return ": missing device class name (unsupported request type?)";
  }
  return {};
}

AlternativePlan PlanAlternative(const api::DeviceClaim& claim, const api::DeviceRequest& request,
                                const DeviceRequestDetails& details) {
  AlternativePlan plan;
  plan.details = &details;
  plan.name = details.name.empty() ? request.name : details.name;
  plan.full_name = request.name;
  if (!details.name.empty()) plan.full_name.append("/").append(details.name);
  plan.is_all = details.allocation_mode == api::allocation_mode::kAll;
  for (std::size_t i = 0; i < claim.constraints.size(); ++i) {
    if (AppliesTo(claim.constraints[i], request.name, plan.full_name)) {
      plan.constraints.push_back(static_cast<std::uint16_t>(i));
    }
  }
  return plan;
}

RequestPlan PlanRequest(const api::DeviceClaim& claim, const api::DeviceRequest& request) {
  static const DeviceRequestDetails kNothing;
  RequestPlan plan;
  plan.is_list = !request.first_available.empty();
  for (const DeviceRequestDetails& details : request.first_available) {
    plan.alternatives.push_back(PlanAlternative(claim, request, details));
  }
  if (!plan.is_list) {
    plan.alternatives.push_back(
        PlanAlternative(claim, request, request.exactly ? *request.exactly : kNothing));
  }
  return plan;
}

ClaimPlan PlanClaim(const api::DeviceClaim& claim) {
  ClaimPlan plan;
  for (const api::DeviceRequest& request : claim.requests) {
    plan.requests.push_back(PlanRequest(claim, request));
  }
  for (std::size_t i = 0; i < claim.constraints.size(); ++i) {
    const api::DeviceConstraint& constraint = claim.constraints[i];
    const bool is_match = constraint.match_attribute.has_value();
    if (!is_match && !constraint.distinct_attribute && plan.fault.empty()) {
      plan.fault = ", constraint #" + std::to_string(i) +
                   ": empty constraint (unsupported constraint type?)";
    }
    plan.constraints.push_back({.is_match = is_match,
                                .attribute = is_match
                                                 ? *constraint.match_attribute
                                                 : constraint.distinct_attribute.value_or("")});
  }
  return plan;
}

/// Numbers all alternatives and constraints of the set.
void Number(CompiledClaims& set) {
  for (ClaimPlan& claim : set.claims) {
    for (ConstraintPlan& constraint : claim.constraints) constraint.index = set.constraints++;
    for (RequestPlan& request : claim.requests) {
      set.has_lists = set.has_lists || request.is_list;
      for (AlternativePlan& alternative : request.alternatives) {
        alternative.index = set.alternatives++;
      }
    }
  }
}

bool NeedsPreparation(const ClaimPlan& claim) {
  if (claim.requests.size() > kRequestsMax) return true;
  std::int64_t devices = 0;
  for (const RequestPlan& request : claim.requests) {
    std::int64_t least = INT64_MAX;
    for (const AlternativePlan& alternative : request.alternatives) {
      if (!alternative.fault.empty() || alternative.is_all) return true;
      least = std::min(least, alternative.details->count);
    }
    if (least > kResultsMax - devices) return true;
    devices += std::max<std::int64_t>(least, 0);
  }
  return !claim.fault.empty();
}

template <class T>
void DropExpired(std::map<std::string, std::weak_ptr<T>, std::less<>>& table) {
  std::erase_if(table, [](const auto& row) { return row.second.expired(); });
}

}  // namespace

bool ClaimCompiler::SetClass(std::string_view name, ObjectPtr device_class) {
  const auto at = classes_.find(name);
  if (at == classes_.end() && device_class == nullptr) return false;
  ++classes_version_;
  if (device_class == nullptr) {
    classes_.erase(at);
  } else {
    classes_.insert_or_assign(std::string(name), std::move(device_class));
  }
  return true;
}

std::shared_ptr<CompiledClaims> ClaimCompiler::Compile(const std::vector<ObjectPtr>& claims) {
  KeyWriter key;
  for (const ObjectPtr& claim : claims) {
    PL_ASSERT(claim != nullptr && claim->As<api::ResourceClaim>() != nullptr);
    key.Add(claim->As<api::ResourceClaim>()->spec);
  }
  std::string text = key.Take();
  if (const auto known = sets_.find(text); known != sets_.end()) {
    Refresh(*known->second);
    return known->second;
  }
  DropIdle();
  auto set = std::make_shared<CompiledClaims>();
  set->keeps = claims;
  for (const ObjectPtr& claim : claims) {
    set->claims.push_back(PlanClaim(claim->As<api::ResourceClaim>()->spec));
    for (RequestPlan& request : set->claims.back().requests) {
      for (AlternativePlan& alternative : request.alternatives) {
        alternative.tolerations = TolerationsOf(*alternative.details, claim);
      }
    }
  }
  Number(*set);
  Refresh(*set);
  sets_.emplace(std::move(text), set);
  return set;
}

void ClaimCompiler::Refresh(CompiledClaims& compiled) {
  if (compiled.classes_version == classes_version_) return;
  compiled.classes_version = classes_version_;
  compiled.answers = {};
  compiled.needs_preparation = compiled.claims.size() > kClaimsMax;
  for (ClaimPlan& claim : compiled.claims) {
    for (RequestPlan& request : claim.requests) {
      for (AlternativePlan& alternative : request.alternatives) Resolve(alternative);
    }
    compiled.needs_preparation = compiled.needs_preparation || NeedsPreparation(claim);
  }
}

void ClaimCompiler::ForgetSelections(std::span<const DeviceId> devices) {
  for (const auto& [key, selection] : selections_) {
    const auto live = selection.lock();
    if (live == nullptr) continue;
    for (const DeviceId device : devices) live->Forget(device);
  }
}

void ClaimCompiler::ForgetTolerations(std::span<const DeviceId> devices) {
  for (const auto& [key, tolerations] : tolerations_) {
    const auto live = tolerations.lock();
    if (live == nullptr) continue;
    for (const DeviceId device : devices) live->Forget(device);
  }
}

void ClaimCompiler::Resolve(AlternativePlan& plan) {
  const DeviceRequestDetails& details = *plan.details;
  plan.device_class = nullptr;
  plan.selection = nullptr;
  plan.fault = FaultOf(details);
  if (!plan.fault.empty()) return;
  const auto at = classes_.find(details.device_class_name);
  if (at == classes_.end()) {
    const std::string name(details.device_class_name);
    plan.fault = ": could not retrieve device class " + name + ": deviceclasses.resource.k8s.io " +
                 GoQuote(name) + " not found";
    return;
  }
  plan.device_class = at->second;
  plan.selection = SelectionOf(*at->second->As<api::DeviceClass>(), details);
  if (!plan.is_all && details.allocation_mode != api::allocation_mode::kExactCount) {
    plan.fault = ": unsupported count mode " + std::string(details.allocation_mode);
  }
}

std::shared_ptr<Selection> ClaimCompiler::SelectionOf(const api::DeviceClass& device_class,
                                                      const DeviceRequestDetails& details) {
  std::string key =
      KeyWriter().Add(std::span(device_class.selectors)).Add(std::span(details.selectors)).Take();
  std::weak_ptr<Selection>& place = selections_[std::move(key)];
  std::shared_ptr<Selection> selection = place.lock();
  if (selection == nullptr) {
    selection = std::make_shared<Selection>(device_class.selectors, details.selectors);
    place = selection;
  }
  return selection;
}

std::shared_ptr<TolerationList> ClaimCompiler::TolerationsOf(const DeviceRequestDetails& details,
                                                             const ObjectPtr& claim) {
  std::weak_ptr<TolerationList>& place =
      tolerations_[KeyWriter().Add(std::span(details.tolerations)).Take()];
  std::shared_ptr<TolerationList> tolerations = place.lock();
  if (tolerations == nullptr) {
    tolerations = std::make_shared<TolerationList>(details.tolerations, claim);
    place = tolerations;
  }
  return tolerations;
}

void ClaimCompiler::DropIdle() {
  if (sets_.size() < sweep_at_) return;
  std::erase_if(sets_, [](const auto& row) { return row.second.use_count() == 1; });
  // Sets in use remain, so raise the threshold, or every Compile would sweep.
  sweep_at_ = kIdleSetsMax + 2 * sets_.size();
  DropExpired(selections_);
  DropExpired(tolerations_);
}

}  // namespace plimsoll::dra
