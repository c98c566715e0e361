#include "agent/requests.h"

#include <algorithm>

namespace plimsoll::agent {
namespace {

/// Only these may be asked for by the pod as a whole.
bool IsPodLevel(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

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
  Amounts total;
  for (const api::Container& container : spec.containers) {
    total.Add(ReadAmounts(container.resources.requests, names));
  }
  Amounts sidecars;
  Amounts starting;  // the most that init containers need at one time
  for (const api::Container& container : spec.init_containers) {
    Amounts request = ReadAmounts(container.resources.requests, names);
    if (container.restart_policy == "Always") {
      total.Add(request);
      sidecars.Add(request);
      request = sidecars;
    } else {
      request.Add(sidecars);
    }
    starting.RaiseTo(request);
  }
  total.RaiseTo(starting);
  if (spec.resources) {
    for (const api::ResourceAmount& one : spec.resources->requests) {
      if (IsPodLevel(one.name)) total.Set(names.Acquire(one.name).id, AmountOf(one));
    }
  }
  total.Add(ReadAmounts(spec.overhead, names));
  return total;
}

}  // namespace plimsoll::agent
