#include <algorithm>
#include <map>

#include "api/defaults/hooks.h"
#include "base/quantity.h"
#include "codec/patch/member_index.h"

namespace plimsoll::api::defaults {
namespace {

namespace core = fields::core_v1;

using Sum = std::map<std::string_view, Quantity>;

constexpr std::string_view kHugePages = "hugepages-";

void AddTo(Sum& sum, std::string_view name, const Quantity& quantity) {
  const auto [entry, is_new] = sum.try_emplace(name, quantity);
  if (!is_new) entry->second.Add(quantity);
}

void AddAll(Sum& sum, const Sum& more) {
  for (const auto& [name, quantity] : more) AddTo(sum, name, quantity);
}

void RaiseTo(Sum& sum, const Sum& least) {
  for (const auto& [name, quantity] : least) {
    const auto [entry, is_new] = sum.try_emplace(name, quantity);
    if (!is_new && entry->second.Compare(quantity) < 0) entry->second = quantity;
  }
}

Sum ResourcesOf(Value& container, FieldId list) {
  Sum sum;
  Value* resources = FindMember(container, core::Container::kResources);
  Value* found = resources == nullptr ? nullptr : FindMember(*resources, list);
  if (found == nullptr) return sum;
  for (const codec::Member& member : found->members()) {
    if (const auto quantity = Quantity::FromScalar(member.value.text())) {
      AddTo(sum, member.key, *quantity);
    }
  }
  return sum;
}

/// Returns the total of the containers: all containers and sidecars together, or the largest init
/// container plus the sidecars started before it.
Sum Aggregate(Value& spec, FieldId list) {
  Sum running;
  if (Value* containers = FindMember(spec, core::PodSpec::kContainers)) {
    for (Value& container : containers->items()) AddAll(running, ResourcesOf(container, list));
  }
  Value* init_containers = FindMember(spec, core::PodSpec::kInitContainers);
  if (init_containers == nullptr) return running;
  Sum sidecars;
  Sum initial;
  for (Value& container : init_containers->items()) {
    Sum needed = ResourcesOf(container, list);
    if (TextOf(container, core::Container::kRestartPolicy) == "Always") {
      AddAll(running, needed);
      AddAll(sidecars, needed);
      needed = sidecars;
    } else {
      AddAll(needed, sidecars);
    }
    RaiseTo(initial, needed);
  }
  RaiseTo(running, initial);
  return running;
}

/// Quantities without any of these characters have no digits below thousandths.
bool MayHaveSubMilliDigits(char c) {
  return c == 'n' || c == 'u' || c == '.' || c == 'e' || c == 'E';
}

/// Returns the pod's own list; creates it if it is missing.
Value& ListOf(Document& document, Value& resources, core::ResourceRequirements::Id list) {
  using F = core::ResourceRequirements;
  PutIfAbsent<F>(document, resources, list, document.NewObject());
  return *FindMember(resources, list);
}

void AddQuantity(Document& document, Value& list, std::string_view name, const Quantity& quantity) {
  document.AppendMember(list, {name, document.NewString(quantity.Text())});
}

void DefaultHugePageLimits(Document& document, Value& spec, Value& resources) {
  using F = core::ResourceRequirements;
  const Value* const requests = FindMember(resources, F::kRequests);
  const codec::MemberIndex requests_by_name(requests == nullptr ? Value() : *requests);
  const Value* const given = FindMember(resources, F::kLimits);
  const codec::MemberIndex given_by_name(given == nullptr ? Value() : *given);
  for (const auto& [name, quantity] : Aggregate(spec, F::kLimits)) {
    if (!name.starts_with(kHugePages)) continue;
    if (requests_by_name.Find(name) != nullptr || given_by_name.Find(name) != nullptr) continue;
    Value& limits = ListOf(document, resources, F::kLimits);
    AddQuantity(document, limits, name, quantity);
  }
}

void DefaultPodRequests(Document& document, Value& spec, Value& resources) {
  using F = core::ResourceRequirements;
  const Value* found = FindMember(resources, F::kLimits);
  if (found == nullptr || found->members().empty()) return;
  const Value limits = *found;
  for (const auto& [name, quantity] : Aggregate(spec, F::kRequests)) {
    if (name != "cpu" && name != "memory") continue;
    Value& requests = ListOf(document, resources, F::kRequests);
    if (requests.Find(name) == nullptr) AddQuantity(document, requests, name, quantity);
  }
  const Value* const given = FindMember(resources, F::kRequests);
  const codec::MemberIndex given_by_name(given == nullptr ? Value() : *given);
  for (const codec::Member& limit : limits.members()) {
    if (limit.key != "cpu" && limit.key != "memory" && !limit.key.starts_with(kHugePages)) continue;
    Value& requests = ListOf(document, resources, F::kRequests);
    if (given_by_name.Find(limit.key) == nullptr) document.AppendMember(requests, limit);
  }
}

}  // namespace

void DefaultPodLevelResources(Document& document, Value& spec) {
  using F = core::ResourceRequirements;
  Value& resources = *FindMember(spec, core::PodSpec::kResources);
  const auto is_empty = [&](FieldId list) {
    const Value* found = FindMember(resources, list);
    return found == nullptr || found->members().empty();
  };
  if (is_empty(F::kLimits) && is_empty(F::kRequests)) return;
  DefaultHugePageLimits(document, spec, resources);
  DefaultPodRequests(document, spec, resources);
}

void RoundResources(Document& document, Value& resource_list) {
  for (codec::Member& member : resource_list.members()) {
    // Integers with the usual suffixes are never rounded.
    const std::string_view text = member.value.text();
    if (std::ranges::none_of(text, MayHaveSubMilliDigits)) continue;
    const auto quantity = Quantity::FromScalar(text);
    if (!quantity) continue;
    const Quantity rounded = Quantity::FromMilli(quantity->MilliValue(), quantity->format());
    // A number too large for thousandths overflows MilliValue. It needs no rounding.
    Quantity gain = rounded;
    gain.Sub(*quantity);
    if (gain.sign() <= 0 || gain.Compare(Quantity::FromMilli(1)) >= 0) continue;
    const std::uint32_t line = member.value.line();
    member.value = document.NewString(rounded.Text());
    member.value.set_line(line);
  }
}

}  // namespace plimsoll::api::defaults
