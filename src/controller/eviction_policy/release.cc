// Decides which pods go, and when: the limits of the policies, and the reservations in them.

#include <algorithm>
#include <chrono>
#include <limits>

#include "api/core/pod.h"
#include "base/time_arithmetic.h"
#include "controller/eviction_policy/eviction_gate.h"

namespace plimsoll::controller {
namespace {

/// Returns the next time at which parked pods are tried again. It is the same for all of them, so
/// that they compete in their order.
Instant NextTick(Instant now) {
  const Duration period = EvictionGate::kRecheck;
  return Instant(Duration((now.time_since_epoch() / period + 1) * period));
}

}  // namespace

void EvictionGate::RunTimers(Instant now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    Candidate& one = *by_serial_.at(deadlines_.begin()->second);
    deadlines_.erase(deadlines_.begin());
    if (one.state != State::Released) Force(one, now);
  }
  while (!timers_.empty() && timers_.begin()->first <= now) {
    Candidate& one = *by_serial_.at(timers_.begin()->second);
    if (one.state == State::Scheduled) {
      Release(one, one.via);
    } else {
      SetState(one, State::Ready);
    }
  }
}

void EvictionGate::Pass(Instant now) {
  pass_at_ = Instant::max();
  for (const auto& [names, group] : groups_) {
    group->is_blocked = false;
  }
  for (const auto& [name, policy] : policies_) {
    if (policy->terms.breaker) policy->ledger.Expire(policy->terms, now);
  }
  for (;;) {
    Group* next = nullptr;
    for (const auto& [names, group] : groups_) {
      if (group->is_blocked || group->ready.empty()) continue;
      if (next == nullptr || Earlier()(*group->ready.begin(), *next->ready.begin())) {
        next = group.get();
      }
    }
    if (next == nullptr) break;
    Decide(**next->ready.begin(), now);
  }
  TellGroups(now);
  MarkChanged();
}

/// Tells the pods of blocked groups why they wait.
void EvictionGate::TellGroups(Instant now) {
  for (const auto& [names, group] : groups_) {
    if (!group->is_blocked) {
      group->fresh.clear();
      continue;
    }
    const auto tell = [&](Candidate* one) {
      if (one == nullptr || one->group != group.get() || one->state != State::Ready) return;
      Tell(*one, group->reason, group->by, now);
    };
    for (const auto& [client, uid] : group->fresh) tell(Find(client, uid));
    group->fresh.clear();
    const bool is_new = !group->ready.empty() && (*group->ready.rbegin())->reason != group->reason;
    if (!is_new) continue;
    for (Candidate* const one : group->ready) tell(one);
  }
}

void EvictionGate::Block(Group& group, HoldReason reason, Policy& by) {
  group.is_blocked = true;
  group.reason = reason;
  group.by = &by;
}

/// Takes the candidate out of the queue, or blocks its group.
void EvictionGate::Decide(Candidate& one, Instant now) {
  if (one.forced_at <= now) return Force(one, now);
  if (IsStopped(one, now) || IsProtected(one, now)) return;
  const std::optional<Instant> at = TokenTime(one, now);
  if (!at) return;
  for (Policy* const policy : one.group->policies) {
    if (policy->terms.breaker && IsTooMany(one, *policy, now)) return;
  }
  Reserve(one, *at, now);
}

/// Returns true if a policy is paused, has tripped, or has too many evictions in flight.
bool EvictionGate::IsStopped(Candidate& one, Instant now) {
  Group& group = *one.group;
  for (Policy* const policy : group.policies) {
    const PolicyTerms& terms = policy->terms;
    if (terms.is_paused) {
      Block(group, HoldReason::Paused, *policy);
      return true;
    }
    if (terms.breaker &&
        policy->ledger.IsTripped(view_.ScopeOf(terms.breaker->per, *one.what.pod))) {
      if (terms.breaker->per == BreakerScope::Cluster) {
        Block(group, HoldReason::Breaker, *policy);
      } else {
        Park(one, NextTick(now), HoldReason::Breaker, policy, now);
      }
      return true;
    }
    if (terms.needs_ledger() && policy->ledger.Find(one.uid) == nullptr &&
        policy->ledger.reserved().size() >= PolicyLedger::kReservedMax) {
      Block(group, HoldReason::Rate, *policy);
      return true;
    }
  }
  // The evictor of another taint is about to evict the pod.
  for (Client other = 0; other < released_.size(); ++other) {
    if (other == one.client) continue;
    const Candidate* const twin = Find(other, one.uid);
    if (twin == nullptr || twin->state < State::Reserving) continue;
    Park(one, NextTick(now), HoldReason::Rate, group.policies.front(), now);
    return true;
  }
  return false;
}

/// Returns true if the pod's workload or its disruption budgets need it now.
bool EvictionGate::IsProtected(Candidate& one, Instant now) {
  one.via = EvictionVia::Delete;
  const ClusterView::Pod* const pod = view_.FindPod(one.uid);
  std::pair<Duration, Policy*> budgets(Duration::min(), nullptr);
  for (Policy* const policy : one.group->policies) {
    const PolicyTerms& terms = policy->terms;
    one.via = std::max(one.via, terms.via);
    if (terms.budgets && *terms.budgets > budgets.first) budgets = {*terms.budgets, policy};
    if (pod == nullptr || !terms.max_unavailable) continue;
    if (view_.CanMiss(*pod, *terms.max_unavailable)) continue;
    Park(one, NextTick(now), HoldReason::MaxUnavailable, policy, now);
    return true;
  }
  if (budgets.second == nullptr || pod == nullptr) return false;
  const Instant end = SaturatingAdd(one.what.due, budgets.first);
  if (end <= now) {
    one.via = EvictionVia::Delete;  // any other means would respect the budget
    return false;
  }
  if (view_.BudgetsAllow(*pod)) return false;
  Park(one, std::min(NextTick(now), end), HoldReason::Budget, budgets.second, now);
  return true;
}

/// Returns the time at which all rates have a token for the candidate. Blocks its group if that is
/// beyond the horizon.
std::optional<Instant> EvictionGate::TokenTime(Candidate& one, Instant now) {
  Instant at = now;
  Policy* last = nullptr;
  for (Policy* const policy : one.group->policies) {
    if (!policy->terms.rate) continue;
    const Instant free = policy->ledger.NextFree(*policy->terms.rate);
    if (free <= at) continue;
    at = free;
    last = policy;
  }
  if (at <= now + kHorizon) return at;
  Block(*one.group, HoldReason::Rate, *last);
  pass_at_ = std::min(pass_at_, std::max(at - kHorizon, now + kPassPeriod));
  return std::nullopt;
}

/// Trips the breaker if a further eviction would exceed its limit, and then returns true.
bool EvictionGate::IsTooMany(Candidate& one, Policy& policy, Instant now) {
  const PolicyTerms::Breaker& breaker = *policy.terms.breaker;
  const PolicyLedger::Reservation* const reserved = policy.ledger.Find(one.uid);
  if (reserved != nullptr && reserved->counted_until > now) return false;
  const std::string name = view_.ScopeOf(breaker.per, *one.what.pod);
  PolicyLedger::Scope* const scope = policy.ledger.FindScope(name, breaker, now);
  if (scope == nullptr) {
    Park(one, NextTick(now), HoldReason::Breaker, &policy, now);
    return true;
  }
  if (scope->window.total() < LimitOf(policy, name, *scope, now)) return false;
  policy.ledger.Trip(*scope, policy.terms, now);
  policy.tripped.Set(1);
  if (breaker.per == BreakerScope::Cluster) {
    Block(*one.group, HoldReason::Breaker, policy);
  } else {
    Park(one, NextTick(now), HoldReason::Breaker, &policy, now);
  }
  return true;
}

std::int64_t EvictionGate::LimitOf(Policy& policy, std::string_view scope_name,
                                   PolicyLedger::Scope& scope, Instant now) {
  const PolicyTerms::Breaker& breaker = *policy.terms.breaker;
  std::int64_t limit = breaker.max_pods.value_or(std::numeric_limits<std::int64_t>::max());
  if (!breaker.max_percent) return limit;
  const bool is_old = scope.selected_at == Instant::min() || scope.window.empty() ||
                      TimeBetween(scope.selected_at, now) >= breaker.window;
  if (is_old) {
    if (policy.selected_at != now) {
      policy.selected = view_.CountSelected(policy.terms, breaker.per);
      policy.selected_at = now;
    }
    const auto count = policy.selected.find(std::string(scope_name));
    scope.selected = count == policy.selected.end() ? 0 : count->second;
    scope.selected_at = now;
  }
  return std::min(limit, Amount{*breaker.max_percent, true}.Of(scope.selected));
}

/// Counts the eviction in all policies, to take place at `at`.
void EvictionGate::Reserve(Candidate& one, Instant at, Instant now) {
  for (Policy* const policy : one.group->policies) {
    const PolicyTerms& terms = policy->terms;
    if (!terms.needs_ledger()) continue;
    PolicyLedger& ledger = policy->ledger;
    if (terms.rate) ledger.TakeToken(*terms.rate, at);
    // A reservation that is stored already needs no write: a successor expects the eviction at any
    // time.
    const PolicyLedger::Reservation* const known = ledger.Find(one.uid);
    if (known != nullptr && (!terms.breaker || known->counted_until > at)) continue;
    PolicyLedger::Reservation& reservation = ledger.Reserve(one.uid);
    if (!terms.breaker) continue;
    reservation.scope = view_.ScopeOf(terms.breaker->per, *one.what.pod);
    PolicyLedger::Scope* const scope = ledger.FindScope(reservation.scope, *terms.breaker, now);
    if (scope == nullptr) continue;
    scope->window.Add(at, terms.breaker->window);
    reservation.counted_at = at;
    reservation.counted_until = SaturatingAdd(at, terms.breaker->window);
  }
  view_.Reserve(one.uid);
  one.release_at = at;
  SetState(one, State::Reserving);
}

/// Evicts the pod whatever the limits: its deadline is over. The eviction is counted.
void EvictionGate::Force(Candidate& one, Instant now) {
  for (Policy* const policy : one.group->policies) {
    const PolicyTerms& terms = policy->terms;
    PolicyLedger& ledger = policy->ledger;
    if (!terms.needs_ledger() || ledger.Find(one.uid) != nullptr) continue;
    if (terms.rate) ledger.ChargeToken(*terms.rate, now);
    if (terms.breaker) {
      auto* const scope =
          ledger.FindScope(view_.ScopeOf(terms.breaker->per, *one.what.pod), *terms.breaker, now);
      if (scope != nullptr) scope->window.Add(now, terms.breaker->window);
    }
    if (ledger.reserved().size() < PolicyLedger::kReservedMax) {
      ledger.Reserve(one.uid).counted_until = Instant::max();
    } else {
      ledger.MarkChanged();
    }
  }
  view_.Reserve(one.uid);
  Release(one, EvictionVia::Delete);
}

/// Returns true if all policies have stored the reservation.
bool EvictionGate::IsStored(const Candidate& one) const {
  return std::ranges::all_of(one.group->policies, [&](const Policy* policy) {
    if (!policy->terms.needs_ledger()) return true;
    const PolicyLedger::Reservation* const found = policy->ledger.Find(one.uid);
    return found != nullptr && found->change <= policy->change_stored;
  });
}

void EvictionGate::ReleaseStored(Instant now) {
  for (auto place = reserving_.begin(); place != reserving_.end();) {
    Candidate& one = *by_serial_.at(*place++);
    if (!IsStored(one)) continue;
    if (one.release_at <= now) {
      Release(one, one.via);
    } else {
      SetState(one, State::Scheduled, one.release_at);
    }
  }
}

void EvictionGate::Release(Candidate& one, EvictionVia via) {
  for (Policy* const policy : one.group->policies) policy->released.Add();
  MarkChanged();
  if (via == EvictionVia::EvictionRequest) {
    SetState(one, State::Requested);
    return requests_.Want(one.what.pod, true);
  }
  SetState(one, State::Released);
  released_[one.client].push_back({one.uid, via, one.group->policies.front()->name});
}

void EvictionGate::DropIdleReservations(Instant now) {
  idle_check_at_ = now + kIdleMax / 4;
  for (const auto& [name, policy] : policies_) {
    std::vector<std::string> idle;
    for (auto& [uid, reservation] : policy->ledger.reserved()) {
      bool is_wanted = false;
      for (Client client = 0; client < released_.size(); ++client) {
        is_wanted = is_wanted || Find(client, uid) != nullptr;
      }
      if (is_wanted) {
        reservation.idle_since = Instant::min();
      } else if (reservation.idle_since == Instant::min()) {
        reservation.idle_since = now;
      } else if (TimeBetween(reservation.idle_since, now) >= kIdleMax) {
        idle.push_back(uid);
      }
    }
    for (const std::string& uid : idle) {
      const ClusterView::Pod* const pod = view_.FindPod(uid);
      if (pod != nullptr && policy->terms.via == EvictionVia::EvictionRequest) {
        requests_.Want(pod->object, false);
      }
      policy->ledger.Erase(uid, policy->terms, false);
      view_.Release(uid);
      policy->is_changed = true;
    }
  }
}

}  // namespace plimsoll::controller
