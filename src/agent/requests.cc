#include "agent/requests.h"

#include <algorithm>

#include "api/core/pod_requests.h"

namespace plimsoll::agent {
namespace {

std::int64_t AmountOf(const api::ResourceAmount& one) {
  return one.name == "cpu" ? one.quantity.MilliValue() : one.quantity.Value();
}

}  // namespace

std::int64_t Amounts::Of(Interner::Id resource) const {
  const auto found = std::ranges::lower_bound(entries_, resource, {}, &Entry::resource);
  return found != entries_.end() && found->resource == resource ? found->amount : 0;
}

void Amounts::Set(Interner::Id resource, std::int64_t amount) {
  const auto found = std::ranges::lower_bound(entries_, resource, {}, &Entry::resource);
  if (found != entries_.end() && found->resource == resource) {
    found->amount = amount;
  } else {
    entries_.insert(found, {resource, amount});
  }
}

void Amounts::Add(const Amounts& other) {
  for (const Entry& one : other.entries_) Set(one.resource, Of(one.resource) + one.amount);
}

void Amounts::AddToOwn(const Amounts& other) {
  for (Entry& one : entries_) one.amount += other.Of(one.resource);
}

void Amounts::Subtract(const Amounts& other) {
  for (const Entry& one : other.entries_) Set(one.resource, Of(one.resource) - one.amount);
}

void Amounts::RaiseTo(const Amounts& other) {
  for (const Entry& one : other.entries_) {
    Set(one.resource, std::max(Of(one.resource), one.amount));
  }
}

Amounts ReadAmounts(const api::ResourceList& list, Interner& names) {
  Amounts amounts;
  for (const api::ResourceAmount& one : list) {
    amounts.Set(names.Acquire(one.name).id, AmountOf(one));
  }
  return amounts;
}

Amounts RequestsOf(const api::PodSpec& spec, Interner& names) {
  Amounts total = api::AddUpRequests(
      spec, [&](const api::Container& one) { return ReadAmounts(one.resources.requests, names); },
      [](Amounts& sum, const Amounts& other) { sum.RaiseTo(other); });
  if (spec.resources) {
    for (const api::ResourceAmount& one : spec.resources->requests) {
      if (api::IsPodLevelResource(one.name)) total.Set(names.Acquire(one.name).id, AmountOf(one));
    }
  }
  total.Add(ReadAmounts(spec.overhead, names));
  return total;
}

}  // namespace plimsoll::agent
