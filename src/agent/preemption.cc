#include "agent/preemption.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "agent/admission.h"

namespace plimsoll::agent {
namespace {

using Indexes = std::vector<std::size_t>;

/// QoS classes, from the first to be preempted to the last.
enum class Quality : std::uint8_t { BestEffort, Burstable, Guaranteed, kCount };

/// Reads the QoS class, which the API server sets.
Quality QualityOf(const api::Object& pod) {
  const codec::Value* const status = pod.tree().Find("status");
  const codec::Value* const text = status == nullptr ? nullptr : status->Find("qosClass");
  if (text == nullptr || !text->is_string()) return Quality::Burstable;
  if (text->text() == "BestEffort") return Quality::BestEffort;
  return text->text() == "Guaranteed" ? Quality::Guaranteed : Quality::Burstable;
}

class Chooser {
 public:
  Chooser(std::span<const Tenant> tenants, Interner& names)
      : tenants_(tenants),
        pods_(names.Acquire("pods").id),
        memory_(names.Acquire("memory").id),
        cpu_(names.Acquire("cpu").id) {}

  /// Returns the shortages that remain after those tenants are gone.
  std::vector<Shortage> Without(std::vector<Shortage> shortages, const Indexes& gone) const {
    for (const std::size_t i : gone) {
      for (Shortage& one : shortages) one.amount -= AmountOf(i, one.resource);
    }
    std::erase_if(shortages, [](const Shortage& one) { return one.amount <= 0; });
    return shortages;
  }

  /// Picks as many of `from` as needed. Returns nothing if they are not enough.
  std::optional<Indexes> Take(Indexes from, std::vector<Shortage> shortages) const {
    Indexes taken;
    while (!shortages.empty()) {
      const auto best = std::ranges::min_element(from, [&](std::size_t a, std::size_t b) {
        const double distance_a = Distance(a, shortages);
        const double distance_b = Distance(b, shortages);
        return distance_a != distance_b ? distance_a < distance_b : IsSmaller(a, b);
      });
      if (best == from.end()) return std::nullopt;
      taken.push_back(*best);
      shortages = Without(std::move(shortages), {*best});
      from.erase(best);
    }
    return taken;
  }

 private:
  std::int64_t AmountOf(std::size_t tenant, Interner::Id resource) const {
    return resource == pods_ ? 1 : tenants_[tenant].requests->Of(resource);
  }

  /// Distance to enough after preempting the tenant: the sum of squared shares still missing.
  double Distance(std::size_t tenant, const std::vector<Shortage>& shortages) const {
    double distance = 0;
    for (const Shortage& one : shortages) {
      const std::int64_t rest = one.amount - AmountOf(tenant, one.resource);
      if (rest <= 0) continue;
      const double share = static_cast<double>(rest) / static_cast<double>(one.amount);
      distance += share * share;
    }
    return distance;
  }

  bool IsSmaller(std::size_t a, std::size_t b) const {
    for (const Interner::Id resource : {memory_, cpu_}) {
      const std::int64_t of_a = AmountOf(a, resource);
      const std::int64_t of_b = AmountOf(b, resource);
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  }

  std::span<const Tenant> tenants_;
  Interner::Id pods_;
  Interner::Id memory_;
  Interner::Id cpu_;
};

Indexes Joined(Indexes a, const Indexes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

bool MayPreempt(const api::Pod& preemptor, const api::Pod& tenant) {
  if (IsCritical(preemptor) && !IsCritical(tenant)) return true;
  return preemptor.spec.priority && tenant.spec.priority &&
         *preemptor.spec.priority > *tenant.spec.priority;
}

std::optional<std::vector<std::size_t>> ChooseVictims(const api::Pod& preemptor,
                                                      std::span<const Tenant> tenants,
                                                      const std::vector<Shortage>& shortages,
                                                      Interner& names) {
  std::array<Indexes, static_cast<std::size_t>(Quality::kCount)> by_quality;
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    if (!MayPreempt(preemptor, *tenants[i].pod->As<api::Pod>())) continue;
    by_quality[static_cast<std::size_t>(QualityOf(*tenants[i].pod))].push_back(i);
  }
  const auto& [best_effort, burstable, guaranteed] = by_quality;
  const Chooser chooser(tenants, names);

  // From the most to the least protected class: each provides only what lower classes cannot.
  const auto last =
      chooser.Take(guaranteed, chooser.Without(shortages, Joined(best_effort, burstable)));
  if (!last) return std::nullopt;
  const auto middle =
      chooser.Take(burstable, chooser.Without(shortages, Joined(best_effort, *last)));
  if (!middle) return std::nullopt;
  const Indexes decided = Joined(*middle, *last);
  const auto first = chooser.Take(best_effort, chooser.Without(shortages, decided));
  if (!first) return std::nullopt;
  return Joined(*first, decided);
}

}  // namespace plimsoll::agent
