#include "controller/eviction_policy/eviction_gate.h"

#include <algorithm>
#include <tuple>

#include "api/core/pod.h"
#include "base/assert.h"
#include "base/time_arithmetic.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr Duration kRetryMin = std::chrono::milliseconds(10);
constexpr Duration kRetryMax = std::chrono::seconds(30);
/// First pause after a budget forbade an eviction.
constexpr Duration kBudgetRetryMin = std::chrono::seconds(1);
/// Policies with metrics of their own; further ones share the label "other".
constexpr std::size_t kMeasuredPoliciesMax = 100;

const codec::Value& SpecOf(const api::Object& policy) {
  static const codec::Value kNone = codec::Value::Null();
  const codec::Value* const spec = FindAt(policy.tree(), {"spec"});
  return spec != nullptr ? *spec : kNone;
}

}  // namespace

bool EvictionGate::Earlier::operator()(const Candidate* a, const Candidate* b) const {
  return std::tie(a->priority, b->what.distance, a->what.due, a->uid, a->client) <
         std::tie(b->priority, a->what.distance, b->what.due, b->uid, b->client);
}

EvictionGate::EvictionGate(MetricsRegistry& metrics, EvictionJournal* journal)
    : journal_(journal),
      held_metric_(metrics.AddGauges(
          {.name = "plimsoll_eviction_held_back",
           .help = "Pods whose eviction is due and held back by an EvictionPolicy, by the limit.",
           .labels = {"reason"}})),
      released_metric_(
          metrics.AddCounters({.name = "plimsoll_eviction_released_total",
                               .help = "Evictions that an EvictionPolicy selected and released.",
                               .labels = {"policy"}})),
      tripped_metric_(metrics.AddGauges(
          {.name = "plimsoll_eviction_breaker_tripped",
           .help = "1 if a breaker of the EvictionPolicy has tripped and was not resumed.",
           .labels = {"policy"}})) {}

EvictionGate::Client EvictionGate::AddClient() {
  released_.emplace_back();
  return static_cast<Client>(released_.size() - 1);
}

bool EvictionGate::Hold(Client client, EvictionCandidate what, Instant now) {
  Candidate* known = Find(client, what.pod->metadata().uid);
  if (known == nullptr) {
    Group* const group = GroupFor(what);
    if (group == nullptr) return false;
    auto made = std::make_unique<Candidate>();
    known = made.get();
    known->client = client;
    known->uid = what.pod->metadata().uid;
    known->serial = ++last_serial_;
    known->group = group;
    by_serial_[known->serial] = known;
    candidates_[{client, known->uid}] = std::move(made);
  } else if (known->state >= State::Released) {
    return true;
  } else {
    SetState(*known, State::Parked);  // it leaves the queue before its order changes
    what.due = std::min(what.due, known->what.due);
    what.added = std::min(what.added, known->what.added);
  }
  known->priority = what.pod->As<api::Pod>()->spec.priority.value_or(0);
  known->what = std::move(what);
  Enqueue(*known, now);
  return true;
}

EvictionGate::Candidate* EvictionGate::Find(Client client, std::string_view uid) {
  const auto found = candidates_.find(Key(client, uid));
  return found == candidates_.end() ? nullptr : found->second.get();
}

EvictionGate::Group* EvictionGate::GroupFor(const EvictionCandidate& what) {
  Policies matching;
  std::string names;
  for (const auto& [name, policy] : policies_) {
    const PolicyTerms& terms = policy->terms;
    if (!terms.MatchesTaint(what.taint_key) || !view_.Selects(terms, *what.pod)) continue;
    matching.push_back(policy.get());
    names.append(name).append("/");
  }
  if (matching.empty()) return nullptr;
  std::unique_ptr<Group>& group = groups_[names];
  if (group == nullptr) {
    group = std::make_unique<Group>();
    group->policies = std::move(matching);
  }
  return group.get();
}

/// Starts the candidate's way through the limits.
void EvictionGate::Enqueue(Candidate& one, Instant now) {
  const EvictionCandidate& what = one.what;
  if (one.forced_at != Instant::max()) deadlines_.erase({one.forced_at, one.serial});
  one.forced_at = Instant::max();
  std::pair<Duration, Policy*> settle(Duration::zero(), nullptr);
  for (Policy* const policy : one.group->policies) {
    const PolicyTerms& terms = policy->terms;
    if (terms.settle > settle.first) settle = {terms.settle, policy};
    if (!terms.deadline) continue;
    const Instant end = std::max(what.due, SaturatingAdd(what.added, *terms.deadline));
    one.forced_at = std::min(one.forced_at, end);
  }
  if (one.forced_at != Instant::max()) deadlines_.emplace(one.forced_at, one.serial);
  const Instant settled_at = SaturatingAdd(what.due, settle.first);
  if (settled_at > now) return Park(one, settled_at, HoldReason::Settle, settle.second, now);
  SetState(one, State::Ready);
}

/// Moves the candidate between the queue, the timers and the list of unstored reservations.
void EvictionGate::SetState(Candidate& one, State state, Instant until) {
  if (one.state == State::Ready) one.group->ready.erase(&one);
  if (one.state == State::Parked || one.state == State::Scheduled) {
    timers_.erase({one.until, one.serial});
  }
  reserving_.erase(one.serial);
  one.state = state;
  one.until = until;
  switch (state) {
    case State::Ready:
      one.by = nullptr;
      one.group->ready.insert(&one);
      one.group->fresh.emplace_back(one.client, one.uid);
      pass_at_ = Instant::min();
      break;
    case State::Parked:
    case State::Scheduled:
      timers_.emplace(until, one.serial);
      break;
    case State::Reserving:
      reserving_.insert(one.serial);
      break;
    case State::Released:
    case State::Requested:
      break;
  }
}

void EvictionGate::Drop(Candidate& one) {
  SetState(one, State::Released);
  deadlines_.erase({one.forced_at, one.serial});
  by_serial_.erase(one.serial);
  candidates_.erase(Key(one.client, one.uid));
  MarkChanged();
}

bool EvictionGate::Withdraw(Client client, std::string_view uid, bool is_gone) {
  Candidate* const found = Find(client, uid);
  if (found == nullptr) return true;
  const bool is_told = (found->told & ~(1u << static_cast<unsigned>(HoldReason::Settle))) != 0 ||
                       found->state == State::Requested;
  const State state = found->state;
  const EvictionCandidate what = std::move(found->what);
  if (state == State::Released) {
    std::erase_if(released_[client], [&](const auto& one) { return one.uid == uid; });
  }
  Drop(*found);
  if (is_gone) return is_told;  // OnPodChange counts it
  if (state == State::Requested) requests_.Want(what.pod, false);
  for (Client other = 0; other < released_.size(); ++other) {
    if (Find(other, uid) != nullptr) return is_told;  // another taint evicts it
  }
  const bool is_untouched =
      state == State::Reserving || state == State::Scheduled || state == State::Released;
  EraseReservations(uid, is_untouched);
  return is_told;
}

void EvictionGate::EraseReservations(std::string_view uid, bool is_refunded) {
  for (const auto& [name, policy] : policies_) {
    const bool was_full = policy->ledger.reserved().size() >= PolicyLedger::kReservedMax;
    policy->ledger.Erase(uid, policy->terms, is_refunded);
    if (was_full) pass_at_ = Instant::min();
  }
  view_.Release(uid);
  MarkChanged();
}

std::vector<EvictionRelease> EvictionGate::TakeReleased(Client client) {
  return std::exchange(released_[client], {});
}

bool EvictionGate::Report(Client client, std::string_view uid, Outcome outcome, Instant now) {
  Candidate* const found = Find(client, uid);
  if (found == nullptr) return false;
  if (outcome == Outcome::Done) {
    for (Policy* const policy : found->group->policies) ++policy->evicted;
    Drop(*found);
    return false;
  }
  const bool is_forbidden = outcome == Outcome::BudgetForbids;
  const Duration least = is_forbidden ? kBudgetRetryMin : kRetryMin;
  found->wait = std::clamp(found->wait * 2, least, kRetryMax);
  if (is_forbidden) {
    EraseReservations(uid, true);
    Park(*found, now + found->wait, HoldReason::Budget, found->group->policies.front(), now);
  } else {
    SetState(*found, State::Parked, now + found->wait);  // no limit holds it
  }
  return true;
}

void EvictionGate::Park(Candidate& one, Instant until, HoldReason reason, Policy* by, Instant now) {
  SetState(one, State::Parked, until);
  one.by = by;
  Tell(one, reason, by, now);
}

/// Notes the reason, and queues an event if the reason is new for this pod.
void EvictionGate::Tell(Candidate& one, HoldReason reason, Policy* by, Instant now) {
  one.reason = reason;
  const unsigned bit = 1u << static_cast<unsigned>(reason);
  if ((one.told & bit) != 0) return;
  one.told |= bit;
  if (journal_ != nullptr) {
    journal_->Note({.type = EvictionFact::Type::HeldBack,
                    .pod = *one.what.pod,
                    .time = now,
                    .node = one.what.pod->As<api::Pod>()->spec.node_name,
                    .taint = one.what.taint,
                    .policy = by->name,
                    .reason = ToText(reason),
                    .due = one.what.due});
  }
  // Taints that do not settle are no news: nobody is evicted.
  if (reason == HoldReason::Settle || announcements_.size() >= kQueuedEventsMax) return;
  announcements_.emplace_back(one.serial, reason);
}

void EvictionGate::OnPolicyChange(const ObjectPtr& before, const ObjectPtr& after, Instant now) {
  const std::string name((after != nullptr ? after : before)->metadata().name);
  const auto known = policies_.find(name);
  const bool is_another = known != policies_.end() && after != nullptr &&
                          known->second->object->metadata().uid != after->metadata().uid;
  if (after == nullptr || is_another) {
    if (known != policies_.end()) {
      known->second->tripped.Set(0);
      for (const auto& [uid, one] : known->second->ledger.reserved()) view_.Release(uid);
      const std::unique_ptr<Policy> gone = std::move(known->second);
      policies_.erase(known);
      Regroup(now);
    }
    if (after == nullptr) return;
  }
  const auto& view = *after->As<api::EvictionPolicy>();
  std::unique_ptr<Policy>& place = policies_[name];
  const bool is_new = place == nullptr;
  if (is_new) {
    const std::string_view label = policies_.size() > kMeasuredPoliciesMax
                                       ? std::string_view("other")
                                       : std::string_view(name);
    place = std::make_unique<Policy>(Policy{.name = name,
                                            .object = after,
                                            .reported_at = now,
                                            .released = released_metric_.With({label}),
                                            .tripped = tripped_metric_.With({label})});
    view_.StartTracking();
  }
  Policy& policy = *place;
  const bool is_same_spec = !is_new && SpecOf(*policy.object) == SpecOf(*after);
  policy.object = after;
  if (is_new || std::exchange(policy.merges, false)) {
    policy.terms = ReadTerms(view.spec);
    Adopt(policy, now);
    if (is_new) policy.change_stored = policy.ledger.change();
  }
  pass_at_ = Instant::min();
  if (is_same_spec) return;
  policy.terms = ReadTerms(view.spec);
  policy.ledger.Resume(policy.terms);
  policy.selected_at = Instant::min();
  policy.is_changed = true;
  Regroup(now);
}

/// Matches all candidates with the policies again, after a change of policies or labels.
void EvictionGate::Regroup(Instant now) {
  std::map<std::string, std::unique_ptr<Group>> old = std::exchange(groups_, {});
  std::vector<Candidate*> free;
  for (const auto& [key, candidate] : candidates_) {
    Candidate& one = *candidate;
    const bool is_held = one.state < State::Released;
    if (is_held) SetState(one, State::Parked, Instant::max());
    one.by = nullptr;
    Group* const group = GroupFor(one.what);
    if (group == nullptr) {
      free.push_back(&one);
      continue;
    }
    one.group = group;
    if (is_held) Enqueue(one, now);
  }
  for (Candidate* const one : free) {
    if (one->state == State::Released) {
      one->group = nullptr;
      Drop(*one);  // the evictor has the release, and finds no candidate when it reports
      continue;
    }
    if (one->state == State::Requested) requests_.Want(one->what.pod, false);
    one->group = nullptr;
    released_[one->client].push_back({one->uid, EvictionVia::Delete, {}});
    Drop(*one);
  }
  pass_at_ = Instant::min();
  MarkChanged();
}

void EvictionGate::OnPodChange(const ObjectPtr& before, const ObjectPtr& after) {
  view_.OnPodChange(before, after);
  if (policies_.empty() || before == nullptr) return;
  const std::string_view uid = before->metadata().uid;
  if (view_.FindPod(uid) != nullptr) return;
  for (Client client = 0; client < released_.size(); ++client) {
    Candidate* const found = Find(client, uid);
    if (found == nullptr) continue;
    if (found->state >= State::Released) {
      for (Policy* const policy : found->group->policies) ++policy->evicted;
    }
    Drop(*found);
  }
  requests_.Forget(uid);
  EraseReservations(uid, false);
}

void EvictionGate::OnLabelsChanged(Instant now) {
  if (is_synced_ && !candidates_.empty()) Regroup(now);
}

/// Called when all pods are known, and after further reservations were adopted.
void EvictionGate::OnSynced(Instant now) {
  is_synced_ = true;
  for (const auto& [name, policy] : policies_) {
    std::erase_if(policy->ledger.reserved(),
                  [&](const auto& one) { return view_.FindPod(one.first) == nullptr; });
    for (const auto& [uid, one] : policy->ledger.reserved()) view_.Reserve(uid);
  }
  if (!candidates_.empty()) Regroup(now);
  pass_at_ = Instant::min();
}

void EvictionGate::MarkChanged() {
  for (const auto& [name, policy] : policies_) policy->is_changed = true;
}

void EvictionGate::Run(const Turn& turn) {
  if (!is_synced_ || policies_.empty()) return requests_.Run(turn, last_action_);
  RunTimers(turn.now);
  const bool is_pass = pass_at_ <= turn.now;
  if (is_pass) Pass(turn.now);
  if (std::exchange(has_news_, false) || is_pass) ReleaseStored(turn.now);
  if (idle_check_at_ <= turn.now) DropIdleReservations(turn.now);
  Announce(turn);
  WriteStatuses(turn);
  if (measured_at_ + kReportPeriod <= turn.now || candidates_.empty()) {
    measured_at_ = turn.now;
    MeasureHeld();
  }
  requests_.Run(turn, last_action_);
}

std::optional<Instant> EvictionGate::NextWake() const {
  std::optional<Instant> first = requests_.NextWake();
  const auto take = [&](Instant when) {
    if (when != Instant::max() && (!first || when < *first)) first = when;
  };
  if (!is_synced_ || policies_.empty()) return first;
  if (has_news_) take(Instant::min());
  take(pass_at_);
  if (!timers_.empty()) take(timers_.begin()->first);
  if (!deadlines_.empty()) take(deadlines_.begin()->first);
  if (!announcements_.empty()) take(announce_at_);
  for (const auto& [name, policy] : policies_) {
    if (const auto when = NextWrite(*policy)) take(*when);
    if (!policy->ledger.reserved().empty()) take(idle_check_at_);
  }
  return first;
}

}  // namespace plimsoll::controller
