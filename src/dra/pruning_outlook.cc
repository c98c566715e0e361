#include <algorithm>

#include "dra/pruning.h"

/// Compares the open requests with the devices left.
namespace plimsoll::dra {
namespace {

/// Bipartite matching: assigns each demand its count of nodes, no node twice. It uses augmenting
/// paths, which are fast for a few dozen nodes.
class Matching {
 public:
  Matching(std::size_t nodes, std::size_t demands) : owner_(nodes, kNobody), open_(demands) {}

  void Let(std::size_t demand, const Bitmap& nodes) {
    nodes.ForEach([&](std::size_t node) { open_[demand].push_back(node); });
  }
  bool Serve(std::size_t demand, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      seen_.assign(owner_.size(), false);
      if (!Augment(demand)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kNobody = SIZE_MAX;

  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are demands.
  bool Augment(std::size_t demand) {
    for (const std::size_t node : open_[demand]) {
      if (seen_[node]) continue;
      seen_[node] = true;
      if (owner_[node] == kNobody || Augment(owner_[node])) {
        owner_[node] = demand;
        return true;
      }
    }
    return false;
  }

  std::vector<std::size_t> owner_;              // by node
  std::vector<std::vector<std::size_t>> open_;  // by demand
  std::vector<bool> seen_;
};

}  // namespace

bool Pruning::IsHopeless(const Position& at) const {
  // Skipping could hide an error that the search would have reached.
  if (may_fault_) return false;
  const std::optional<Demands> demands = DemandsFrom(at, {});
  if (!demands || !CanServe(*demands)) return true;
  const auto& claims = search_.input_.plans->claims;
  for (std::size_t claim = at.claim; claim < claims.size(); ++claim) {
    for (const ConstraintPlan& constraint : claims[claim].constraints) {
      if (constraint.is_match ? !CanMatch(at, constraint)
                              : !CanDiffer(*demands, constraint, claim)) {
        return true;
      }
    }
  }
  return false;
}

void Pruning::ApplyConstraint(const ConstraintPlan& constraint, const Assumption& assumed,
                              Bitmap& devices) const {
  const Values& values = values_[constraint.index];
  if (assumed.constraint == constraint.index) {
    devices.And(values.devices[assumed.value]);
    return;
  }
  for (const SeenValue& seen : search_.state_.seen[constraint.index]) {
    const Bitmap& with_value = values.devices[values.of[seen.device]];
    if (constraint.is_match) {
      devices.And(with_value);
      return;
    }
    devices.AndNot(with_value);
  }
}

Bitmap Pruning::Available(std::size_t claim, const AlternativePlan& plan,
                          const Assumption& assumed) const {
  Bitmap devices = eligible_[plan.index];
  if (!plan.is_admin()) {
    for (std::size_t i = 0; i < devices_; ++i) {
      if (search_.state_.held[i] != 0) devices.Reset(i);
    }
  }
  const ClaimPlan& of_claim = search_.input_.plans->claims[claim];
  for (const std::uint16_t number : plan.constraints) {
    ApplyConstraint(of_claim.constraints[number], assumed, devices);
  }
  return devices;
}

/// Adds the request's demand. Returns false if none of its alternatives can be served by itself.
bool Pruning::AddDemand(std::size_t claim, std::size_t request, const Assumption& assumed,
                        Demands& out) const {
  Demand demand{.count = -1, .devices = Bitmap(devices_), .claim = claim, .request = request};
  for (const AlternativePlan& plan :
       search_.input_.plans->claims[claim].requests[request].alternatives) {
    Bitmap devices = Available(claim, plan, assumed);
    const std::int64_t count = search_.CountOf(plan);
    if (plan.is_all) {
      Bitmap missing = all_[plan.index];
      missing.AndNot(devices);
      if (count == 0 || missing.Any()) continue;
      devices = all_[plan.index];
    }
    if (static_cast<std::int64_t>(devices.Count()) < count) continue;
    demand.count = demand.count < 0 ? count : std::min(demand.count, count);
    demand.devices.Or(devices);
    demand.is_admin = demand.is_admin || plan.is_admin();
  }
  if (demand.count < 0) return false;
  if (demand.count > 0) out.push_back(std::move(demand));
  return true;
}

std::optional<Pruning::Demands> Pruning::DemandsFrom(const Position& at,
                                                     const Assumption& assumed) const {
  Demands demands;
  const AlternativePlan& plan = search_.PlanOf(at);
  if (const std::int64_t missing = search_.CountOf(plan) - at.taken; missing > 0) {
    Bitmap devices = Available(at.claim, plan, assumed);
    for (std::size_t i = 0; i < at.start; ++i) devices.Reset(i);
    if (static_cast<std::int64_t>(devices.Count()) < missing) return std::nullopt;
    demands.push_back({.count = missing,
                       .devices = std::move(devices),
                       .is_admin = plan.is_admin(),
                       .claim = at.claim,
                       .request = at.request});
  }
  const auto& claims = search_.input_.plans->claims;
  for (std::size_t claim = at.claim; claim < claims.size(); ++claim) {
    const std::size_t first = claim == at.claim ? at.request + 1 : 0;
    for (std::size_t request = first; request < claims[claim].requests.size(); ++request) {
      if (!AddDemand(claim, request, assumed, demands)) return std::nullopt;
    }
  }
  return demands;
}

bool Pruning::CanServe(const Demands& demands) const {
  Matching matching(devices_, demands.size());
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const Demand& demand = demands[i];
    // Admin access takes nothing. Shares are assumed to fit, because their sum is not checked here.
    if (demand.is_admin) continue;
    Bitmap exclusive = demand.devices;
    exclusive.AndNot(shareable_);
    const auto shared = static_cast<std::int64_t>(demand.devices.Count() - exclusive.Count());
    matching.Let(i, exclusive);
    if (!matching.Serve(i, demand.count - shared)) return false;
  }
  return true;
}

/// Returns true if some value suits all open requests of the constraint.
bool Pruning::CanMatch(const Position& at, const ConstraintPlan& constraint) const {
  if (!search_.state_.seen[constraint.index].empty()) return true;  // Available() has applied it
  const auto values = static_cast<std::uint32_t>(values_[constraint.index].devices.size());
  for (std::uint32_t value = 0; value < values; ++value) {
    const auto demands = DemandsFrom(at, {constraint.index, value});
    if (demands && CanServe(*demands)) return true;
  }
  // No device has the attribute, but perhaps no open request needs it.
  return values == 0;
}

/// Returns true if there are enough values for the requests that the constraint always applies to.
bool Pruning::CanDiffer(const Demands& demands, const ConstraintPlan& constraint,
                        std::size_t claim) const {
  const Values& values = values_[constraint.index];
  const ClaimPlan& plan = search_.input_.plans->claims[claim];
  Matching matching(values.devices.size(), demands.size());
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (demands[i].claim != claim) continue;
    const bool is_bound = std::ranges::all_of(
        plan.requests[demands[i].request].alternatives, [&](const AlternativePlan& alternative) {
          return std::ranges::any_of(alternative.constraints, [&](std::uint16_t number) {
            return plan.constraints[number].index == constraint.index;
          });
        });
    if (!is_bound) continue;
    Bitmap open(values.devices.size());
    demands[i].devices.ForEach([&](std::size_t device) {
      if (values.of[device] != kNoValue) open.Set(values.of[device]);
    });
    matching.Let(i, open);
    if (!matching.Serve(i, demands[i].count)) return false;
  }
  return true;
}

}  // namespace plimsoll::dra
