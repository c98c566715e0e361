#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/metrics.h"
#include "base/time.h"
#include "controller/controller.h"
#include "controller/eviction_journal.h"
#include "controller/eviction_policy/cluster_view.h"
#include "controller/eviction_policy/eviction_requests.h"
#include "controller/eviction_policy/policy_ledger.h"
#include "controller/eviction_policy/policy_terms.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {

/// A pod whose countdown is over.
struct EvictionCandidate {
  ObjectPtr pod;
  std::string taint_key;
  std::string taint;          // for people
  std::int64_t distance = 0;  // how far the taint's value is over the line of the toleration
  Instant due{};              // end of the countdown; with `settle`, it ends that much later
  Instant added{};            // time at which the taint was added
};

/// An eviction that may take place now.
struct EvictionRelease {
  std::string uid;
  EvictionVia via = EvictionVia::Delete;  // Delete or Eviction
  std::string policy;                     // name of a policy behind it; empty: none any more
};

/// Applies EvictionPolicies. An evictor asks the gate before it evicts a pod; the gate holds the
/// pod until all policies that select it permit the eviction. Evictors and the gate run in one
/// thread. All decisions follow from objects and times. Before the gate releases a pod, it writes
/// the used tokens, the windows and the pod's uid to the status of the policies.
///
/// Pods of lower priority go first. Among them, those whose taints are farthest over the line go
/// first, and then those that are due for longest.
class EvictionGate {
 public:
  using Client = std::uint8_t;  // an evictor
  enum class Outcome : std::uint8_t { Done, Failed, BudgetForbids };

  /// Evictions are reserved this long in advance, so that few writes are enough.
  static constexpr Duration kHorizon = std::chrono::milliseconds(250);
  /// Minimum time between two passes that only wait for tokens.
  static constexpr Duration kPassPeriod = std::chrono::milliseconds(100);
  /// Pods that a budget, their workload or a tripped scope holds are tried again so often.
  static constexpr Duration kRecheck = std::chrono::seconds(1);
  /// Minimum time between two writes of a status that release no pods.
  static constexpr Duration kReportPeriod = std::chrono::seconds(1);
  /// Minimum time between two writes of a status that do.
  static constexpr Duration kWriteGap = std::chrono::milliseconds(50);
  /// A reservation of a pod that nobody wants to evict is dropped after this time.
  static constexpr Duration kIdleMax = std::chrono::seconds(60);
  /// Events that the gate records in a second.
  static constexpr std::size_t kEventsPerSecond = 50;
  /// Events that wait to be recorded. Further ones are dropped.
  static constexpr std::size_t kQueuedEventsMax = 10'000;

  explicit EvictionGate(MetricsRegistry& metrics, EvictionJournal* journal = nullptr);

  // For evictors.
  Client AddClient();
  /// Returns false if there is no policy. Then evictors need not ask.
  bool is_active() const { return !policies_.empty() || !candidates_.empty(); }
  /// Returns false if no policy selects the eviction: it may take place at once. Otherwise the gate
  /// holds the pod until it releases it, or until Withdraw. A pod that is held already is updated.
  bool Hold(Client client, EvictionCandidate candidate, Instant now);
  /// Takes the pod back: it tolerates its taints again, or it is gone. Returns true if an event may
  /// have told that its eviction is delayed or requested.
  bool Withdraw(Client client, std::string_view uid, bool is_gone);
  bool HasReleased(Client client) const { return !released_[client].empty(); }
  std::vector<EvictionRelease> TakeReleased(Client client);
  /// Reports the outcome of a released eviction. Returns true if the gate holds the pod again,
  /// after a failure; it does not if no policy selects the pod any more.
  bool Report(Client client, std::string_view uid, Outcome outcome, Instant now);

  // For the controller that feeds the gate.
  ClusterView& view() { return view_; }
  void OnPolicyChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after);
  void OnLabelsChanged(Instant now);
  void OnSynced(Instant now);
  void Finish(const ActionFinished& finished, const Turn& turn);
  void Run(const Turn& turn);
  std::optional<Instant> NextWake() const;

  /// Returns the number of pods that it holds.
  std::size_t held() const { return candidates_.size(); }

 private:
  struct Candidate;
  struct Earlier {
    bool operator()(const Candidate* a, const Candidate* b) const;
  };
  /// A policy and the writes of its status.
  struct Policy {
    std::string name = {};
    ObjectPtr object = {};
    PolicyTerms terms = {};
    PolicyLedger ledger = {};
    std::int64_t evicted = 0;
    ActionId write = 0;  // in flight; 0: none
    std::uint64_t change_in_write = 0;
    std::uint64_t change_stored = 0;
    std::string written_content = {};  // of the last write
    std::string written_version = {};  // resourceVersion before it; the next write needs another
    Instant written_at = Instant::min();
    Instant reported_at{};              // time of the last write, or of the first sight
    Instant retry_at = Instant::min();  // after a failure
    Duration wait{};
    bool merges = false;     // adopts the status of the next version: another writer was there
    bool is_changed = true;  // a report is due
    std::map<std::string, std::int64_t> selected = {};  // pods by scope
    Instant selected_at = Instant::min();
    Counter released;
    Gauge tripped;
  };
  using Policies = std::vector<Policy*>;
  /// Candidates that the same policies select.
  struct Group {
    Policies policies;
    std::set<Candidate*, Earlier> ready;
    std::vector<std::pair<Client, std::string>> fresh;  // ready since the last pass
    bool is_blocked = false;
    HoldReason reason = HoldReason::Rate;
    Policy* by = nullptr;  // null: it was not blocked in the last pass
  };
  enum class State : std::uint8_t {
    Ready,      // wants to go
    Parked,     // held by a limit of its own until a time
    Reserving,  // until the reservation is stored
    Scheduled,  // until the time of its token
    Released,   // the evictor acts
    Requested,  // by an EvictionRequest; until the pod is gone
  };
  struct Candidate {
    Client client = 0;
    std::string uid;
    EvictionCandidate what;
    std::int32_t priority = 0;
    std::uint64_t serial = 0;
    Group* group = nullptr;
    State state = State::Ready;
    HoldReason reason = HoldReason::Rate;
    Policy* by = nullptr;  // Parked: the policy that holds it
    Instant until{};       // Parked, Scheduled
    Instant release_at{};
    Instant forced_at = Instant::max();
    EvictionVia via = EvictionVia::Delete;
    Duration wait{};    // back-off
    unsigned told = 0;  // reasons that were told, by bit
  };
  using Key = std::pair<Client, std::string>;
  using Timer = std::pair<Instant, std::uint64_t>;  // time and serial

  // Candidates.
  Candidate* Find(Client client, std::string_view uid);
  Group* GroupFor(const EvictionCandidate& what);
  void Regroup(Instant now);
  void Adopt(Policy& policy, Instant now);
  void Enqueue(Candidate& one, Instant now);
  void SetState(Candidate& one, State state, Instant until = {});
  void Drop(Candidate& one);
  void Park(Candidate& one, Instant until, HoldReason reason, Policy* by, Instant now);
  void Tell(Candidate& one, HoldReason reason, Policy* by, Instant now);
  void TellGroups(Instant now);
  void EraseReservations(std::string_view uid, bool is_refunded);

  // Decisions: release.cc.
  void RunTimers(Instant now);
  void Pass(Instant now);
  void Decide(Candidate& one, Instant now);
  void Block(Group& group, HoldReason reason, Policy& by);
  bool IsStopped(Candidate& one, Instant now);
  bool IsProtected(Candidate& one, Instant now);
  bool IsTooMany(Candidate& one, Policy& policy, Instant now);
  std::int64_t LimitOf(Policy& policy, std::string_view scope_name, PolicyLedger::Scope& scope,
                       Instant now);
  std::optional<Instant> TokenTime(Candidate& one, Instant now);
  void Reserve(Candidate& one, Instant at, Instant now);
  void Force(Candidate& one, Instant now);
  bool IsStored(const Candidate& one) const;
  void ReleaseStored(Instant now);
  void Release(Candidate& one, EvictionVia via);
  void DropIdleReservations(Instant now);

  // Writes: policy_status.cc.
  void WriteStatuses(const Turn& turn);
  void WriteStatus(Policy& policy, const Turn& turn);
  std::optional<Instant> NextWrite(const Policy& policy) const;
  bool MustWrite(const Policy& policy) const {
    return policy.ledger.change() > policy.change_stored;
  }
  std::string StatusContent(const Policy& policy, Instant now) const;
  /// Returns the policy that holds the candidate back; null if none does.
  static const Policy* HolderOf(const Candidate& one);
  void AppendReport(const Policy& policy, JsonText& status) const;
  void MeasureHeld();
  void Announce(const Turn& turn);
  void MarkChanged();

  ClusterView view_;
  EvictionRequests requests_;
  EvictionJournal* journal_;
  std::map<std::string, std::unique_ptr<Policy>, std::less<>> policies_;
  std::map<std::string, std::unique_ptr<Group>> groups_;  // by names of policies
  std::map<Key, std::unique_ptr<Candidate>> candidates_;
  std::map<std::uint64_t, Candidate*> by_serial_;
  std::set<Timer> timers_;
  std::set<Timer> deadlines_;
  std::set<std::uint64_t> reserving_;
  std::vector<std::vector<EvictionRelease>> released_;  // by client
  std::deque<std::pair<std::uint64_t, HoldReason>> announcements_;
  Instant announce_at_ = Instant::min();
  Instant pass_at_ = Instant::max();
  Instant idle_check_at_ = Instant::min();
  Instant measured_at_ = Instant::min();
  std::uint64_t last_serial_ = 0;
  ActionId last_action_ = 0;
  bool has_news_ = false;  // a write has succeeded
  bool is_synced_ = false;
  MetricFamily<Gauge> held_metric_;
  MetricFamily<Counter> released_metric_;
  MetricFamily<Gauge> tripped_metric_;
};

}  // namespace plimsoll::controller
