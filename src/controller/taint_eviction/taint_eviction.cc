#include "controller/taint_eviction/taint_eviction.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/extension/extension.h"
#include "base/assert.h"
#include "base/time_arithmetic.h"
#include "controller/taint_eviction/arrival.h"
#include "controller/taint_eviction/eviction_text.h"
#include "controller/unread_fields.h"
#include "match/toleration.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kEventReason = "TaintManagerEviction";
constexpr std::string_view kConditionReason = "DeletionByTaintManager";
constexpr std::string_view kConditionMessage = "Taint manager: deleting due to NoExecute taint";

// An action id contains the pod id and the number of the attempt. ControllerSet needs another eight
// bits.
constexpr unsigned kPodBits = 32;
constexpr std::uint32_t kAttemptMax = (1u << 24) - 1;

std::vector<std::optional<Instant>> TimesAdded(std::span<const api::Taint> taints) {
  std::vector<std::optional<Instant>> added;
  for (const api::Taint& taint : taints) {
    if (!match::Evicts(taint)) continue;
    const Result<Instant> time = ParseTime(taint.time_added);
    added.push_back(time ? std::optional(*time) : std::nullopt);
  }
  return added;
}

}  // namespace

TaintEviction::TaintEviction(const api::FeatureGates& gates, const match::Rules& rules,
                             MetricsRegistry& metrics, std::shared_ptr<EvictionGate> gate,
                             EvictionJournal* journal)
    : gate_(std::move(gate)),
      journal_(journal),
      client_(gate_ == nullptr ? EvictionGate::Client{} : gate_->AddClient()),
      stays_(
          {.match = rules, .threshold_grace = gates.Enabled(api::Feature::ThresholdEvictionGrace)}),
      deletions_(metrics.AddCounter(
          {.name = "taint_eviction_controller_pod_deletions_total",
           .help = "Total number of Pods deleted by TaintEvictionController since its start.",
           .labels = {}})),
      deletion_seconds_(metrics.AddHistogram(
          {.name = "taint_eviction_controller_pod_deletion_duration_seconds",
           .help = "Latency, in seconds, between the time when a taint effect has been activated "
                   "for the Pod and its deletion via TaintEvictionController.",
           .labels = {}},
          {0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240})) {}

std::span<const WatchedKind> TaintEviction::watched() const {
  static constexpr std::array kWatched = {WatchedKind{"", "v1", "Node", kUnusedNodeFields},
                                          WatchedKind{"", "v1", "Pod", kUnusedPodFields}};
  return kWatched;
}

void TaintEviction::Observe(const CoreInput& event, const Turn& turn) {
  stays_.SetBudget(kExpressionBudget);
  if (const auto* const finished = std::get_if<ActionFinished>(&event))
    return Finish(*finished, turn);
  if (std::holds_alternative<Synced>(event)) return Start(turn);
  const auto& [before, after] = std::get<ObjectChanged>(event);
  const api::Object& any = after != nullptr ? *after : *before;
  if (any.As<api::Pod>() != nullptr) {
    OnPodChange(before, after, turn);
  } else if (any.As<api::Node>() != nullptr) {
    OnNodeChange(before, after, turn);
  }
}

/// Called when the initial lists are complete. They may show different points in time.
void TaintEviction::Start(const Turn& turn) {
  is_synced_ = true;
  for (const Node& node : nodes_) {
    if (node.taints != StayTable::kNone) JudgePodsOf(node, View::MaybeOld, turn);
  }
}

void TaintEviction::OnNodeChange(const ObjectPtr& before, const ObjectPtr& after,
                                 const Turn& turn) {
  if (after == nullptr) return ForgetNode(before->metadata().name);
  UpsertNode(after, turn);
}

void TaintEviction::UpsertNode(const ObjectPtr& object, const Turn& turn) {
  const api::Node& node = *object->As<api::Node>();
  const auto [id, is_new] = node_names_.Acquire(node.metadata.name);
  if (id >= nodes_.size()) nodes_.resize(std::size_t{id} + 1);
  Node& known = nodes_[id];
  // One reference is for the node itself; each of its pods holds another.
  if (std::exchange(known.object, object) != nullptr) node_names_.Release(id);
  const ListId taints = stays_.AcquireTaints(node.spec.taints);
  std::vector<std::optional<Instant>> added = TimesAdded(node.spec.taints);
  const bool is_same = taints == known.taints && added == known.added;
  stays_.ReleaseTaints(std::exchange(known.taints, taints));
  known.added = std::move(added);
  if (!is_same && is_synced_) JudgePodsOf(known, View::Fresh, turn);
}

/// Countdowns continue when the node is deleted: its pods must still be evicted, and pod garbage
/// collection may be slower.
void TaintEviction::ForgetNode(std::string_view name) {
  const NodeId id = node_names_.Find(name);
  if (id == Interner::kNone || nodes_[id].object == nullptr) return;
  Node& known = nodes_[id];
  stays_.ReleaseTaints(std::exchange(known.taints, StayTable::kNone));
  known.added.clear();
  known.object.reset();
  ReleaseNode(id);
}

void TaintEviction::ReleaseNode(NodeId id) {
  if (node_names_.Release(id)) nodes_[id] = {};
}

void TaintEviction::OnPodChange(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  if (before != nullptr && (after == nullptr || before->metadata().uid != after->metadata().uid)) {
    ForgetPod(before->metadata().uid, turn);
  }
  if (after == nullptr) return;
  // A terminating pod needs no eviction.
  const bool is_going = !after->metadata().deletion_timestamp.empty();
  if (is_going || after->As<api::Pod>()->spec.node_name.empty()) {
    return ForgetPod(after->metadata().uid, turn);
  }
  if (!api::FaultOf(*after).empty()) return DropInvalidPod(before, after, turn);
  UpsertPod(after, turn);
}

void TaintEviction::DropInvalidPod(const ObjectPtr& before, const ObjectPtr& object,
                                   const Turn& turn) {
  if (const PodId id = pod_uids_.Find(object->metadata().uid); id != Interner::kNone) {
    DropPod(id, "its annotations cannot be read", turn);
  }
  const std::string_view fault = api::FaultOf(*object);
  if (before != nullptr && fault == api::FaultOf(*before)) return;
  turn.Do(RecordEvent{.regarding = object,
                      .type = EventType::Warning,
                      .reason = "InvalidAnnotation",
                      .message = std::string(fault)});
}

void TaintEviction::UpsertPod(const ObjectPtr& object, const Turn& turn) {
  const api::PodSpec& spec = object->As<api::Pod>()->spec;
  const auto [id, is_new] = pod_uids_.Acquire(object->metadata().uid);
  if (id >= pods_.size()) pods_.resize(std::size_t{id} + 1);
  Pod& pod = pods_[id];
  const ObjectPtr known = std::exchange(pod.object, object);
  if (known != nullptr) {
    PL_ASSERT(!is_new);
    pod_uids_.Release(id);
    const api::PodSpec& old = known->As<api::Pod>()->spec;
    const bool is_moved = old.node_name != spec.node_name;
    if (!is_moved && old.tolerations == spec.tolerations) return;
    stays_.ReleaseTolerations(pod.tolerations);
    UnbindPod(pod);
  }
  BindPod(pod, id, spec.node_name);
  pod.tolerations = stays_.AcquireTolerations(spec.tolerations);
  if (is_synced_ && nodes_[pod.node].taints != StayTable::kNone) {
    Judge(id, View::MaybeOld, turn);
  }
}

void TaintEviction::BindPod(Pod& pod, PodId id, std::string_view node_name) {
  pod.node = node_names_.Acquire(node_name).id;
  if (pod.node >= nodes_.size()) nodes_.resize(std::size_t{pod.node} + 1);
  std::vector<PodId>& pods = nodes_[pod.node].pods;
  pod.place = static_cast<std::uint32_t>(pods.size());
  pods.push_back(id);
}

void TaintEviction::UnbindPod(Pod& pod) {
  std::vector<PodId>& pods = nodes_[pod.node].pods;
  pods[pod.place] = pods.back();
  pods_[pods[pod.place]].place = pod.place;
  pods.pop_back();
  ReleaseNode(std::exchange(pod.node, Interner::kNone));
}

void TaintEviction::ForgetPod(std::string_view uid, const Turn& turn) {
  const PodId id = pod_uids_.Find(uid);
  if (id == Interner::kNone) return;
  const Pod& pod = pods_[id];
  if (pod.countdown != nullptr && pod.countdown->phase == Phase::Evicting) {
    CountDeletion(*pod.countdown, turn.now);  // the watch event came before the outcome
  }
  if (pod.countdown != nullptr && pod.countdown->phase == Phase::Held) {
    gate_->Withdraw(client_, uid, true);
  }
  DropPod(id, "the pod is gone or going", turn);
}

void TaintEviction::DropPod(PodId id, std::string_view why, const Turn& turn) {
  Pod& pod = pods_[id];
  Cancel(id, why, turn);
  Drop(id);
  put_off_.erase(id);
  stays_.ReleaseTolerations(std::exchange(pod.tolerations, StayTable::kNone));
  UnbindPod(pod);
  pod.object.reset();
  pod_uids_.Release(id);
}

void TaintEviction::JudgePodsOf(const Node& node, View view, const Turn& turn) {
  for (const PodId id : node.pods) Judge(id, view, turn);
}

/// Starts, keeps or cancels the pod's countdown after a change of taints or tolerations.
void TaintEviction::Judge(PodId id, View view, const Turn& turn) {
  const Pod& pod = pods_[id];
  const ListId taints = nodes_[pod.node].taints;
  if (taints == StayTable::kNone) {
    put_off_.erase(id);
    return Cancel(id, "its node has no NoExecute taint any more", turn);
  }
  std::shared_ptr<const Stay> stay = stays_.Find(taints, pod.tolerations);
  if (stay == nullptr) {
    // Other pods are evaluated first; this pod's countdown stays unchanged.
    put_off_.insert(id);
    return;
  }
  put_off_.erase(id);
  if (stay->is_for_ever())
    return Cancel(id, "it tolerates every NoExecute taint of its node", turn);
  const Countdown* const running = pod.countdown.get();
  if (running != nullptr && running->phase > Phase::Waiting) return;
  const bool is_waiting = running != nullptr && running->phase == Phase::Waiting;
  if (stay->is_refused()) {
    if (is_waiting) Cancel(id, "it must go at once", turn);
    if (view == View::MaybeOld) return Confirm(id, turn);
    if (gate_ != nullptr && gate_->is_active() &&
        Hold(id, stay, 0, RefusedSince(id, *stay, turn.now), turn)) {
      return;
    }
    return AnnounceAndEvict(id, stay->refusal, {}, turn.now, turn);
  }
  if (is_waiting) {
    // Like upstream: a countdown is restarted only if it began at the same instant.
    if (running->at < turn.now) return;
    Cancel(id, "its time is counted anew", turn);
  }
  Begin(id, view, std::move(stay), turn);
}

/// Starts the countdown at the first taint that limits the stay, with the shortest time of those
/// added at the same time. A later taint would not move a running countdown, so it is ignored.
void TaintEviction::Begin(PodId id, View view, std::shared_ptr<const Stay> stay, const Turn& turn) {
  Pod& pod = pods_[id];
  const std::vector<std::optional<Instant>>& added = nodes_[pod.node].added;
  std::optional<Instant> arrival;
  std::pair<Instant, Duration> best(Instant::max(), Duration::max());
  std::uint32_t limit = 0;
  for (std::uint32_t i = 0; i < stay->limits.size(); ++i) {
    const Stay::Limit& one = stay->limits[i];
    Instant start = turn.now;
    if (added[one.taint]) {
      if (!arrival) arrival = ArrivalOf(*pod.object);
      start = std::max(*added[one.taint], *arrival);
    }
    if (std::pair(start, one.time) >= best) continue;
    best = {start, one.time};
    limit = i;
  }
  const Instant deadline = SaturatingAdd(best.first, best.second);
  if (deadline <= turn.now && view == View::MaybeOld) return Confirm(id, turn);
  CountdownOf(id) = {
      .at = turn.now, .stay = std::move(stay), .limit = limit, .phase = Phase::Waiting};
  if (deadline > turn.now) {
    due_.Set(id, deadline);
    return Note(EvictionFact::Type::CountdownStarted, id, {}, turn.now);
  }
  if (Hold(id, pod.countdown->stay, limit, deadline, turn)) return;
  const Stay::Limit& over = pod.countdown->stay->limits[limit];
  AnnounceAndEvict(id, over.why, TimeIsOverText(over.time, best.first), turn.now, turn);
}

void TaintEviction::Confirm(PodId id, const Turn& turn) {
  const api::Object& node = *nodes_[pods_[id].node].object;
  due_.Erase(id);
  CountdownOf(id).phase = Phase::Confirming;
  turn.Do(GetObject{
      .id = NextAction(id),
      .object = api::ObjectRef(node.kind(), {}, node.metadata().name, node.metadata().uid),
      .resource_version = std::string(node.metadata().resource_version)});
}

void TaintEviction::OnAnswer(PodId id, const Status& answer, const Turn& turn) {
  if (answer) return Judge(id, View::Fresh, turn);
  TryLater(id, Phase::Unconfirmed, turn.now);  // unless an event of the node decides earlier
}

void TaintEviction::Cancel(PodId id, std::string_view why, const Turn& turn) {
  const Pod& pod = pods_[id];
  if (pod.countdown == nullptr) return;
  const Phase phase = pod.countdown->phase;
  if (phase == Phase::Evicting || phase == Phase::Evicted) return;
  if (phase >= Phase::Waiting) Note(EvictionFact::Type::CountdownCancelled, id, why, turn.now);
  bool is_told = phase >= Phase::Waiting;
  if (phase == Phase::Held) {
    const bool is_limited = !pod.countdown->stay->is_refused();
    is_told = gate_->Withdraw(client_, pod.object->metadata().uid, false) || is_limited;
  }
  Drop(id);
  if (!is_told) return;
  turn.Do(RecordEvent{.regarding = pod.object,
                      .reason = std::string(kEventReason),
                      .message = CancellingText(pod.object->metadata(), why)});
}

void TaintEviction::AnnounceAndEvict(PodId id, std::string_view why, std::string_view time,
                                     Instant due, const Turn& turn, std::string_view policy) {
  const Pod& pod = pods_[id];
  due_.Erase(id);
  CountdownOf(id).at = due;
  Note(EvictionFact::Type::Evicted, id, {}, turn.now, policy);
  turn.Do(RecordEvent{.regarding = pod.object,
                      .reason = std::string(kEventReason),
                      .message = MarkingText(pod.object->metadata(), why, time)});
  Evict(id, turn);
}

void TaintEviction::Evict(PodId id, const Turn& turn) {
  const Pod& pod = pods_[id];
  pod.countdown->phase = Phase::Evicting;
  if (pod.countdown->via == EvictionVia::Eviction) {
    return turn.Do(PostEviction{.id = NextAction(id), .pod = pod.object});
  }
  turn.Do(EvictPod{.id = NextAction(id),
                   .pod = pod.object,
                   .reason = kConditionReason,
                   .message = std::string(kConditionMessage)});
}

ActionId TaintEviction::NextAction(PodId id) {
  std::uint32_t& attempt = pods_[id].attempt;
  attempt = attempt == kAttemptMax ? 1 : attempt + 1;
  return ActionId{attempt} << kPodBits | id;
}

TaintEviction::Countdown& TaintEviction::CountdownOf(PodId id) {
  std::unique_ptr<Countdown>& countdown = pods_[id].countdown;
  if (countdown == nullptr) {
    countdown = std::make_unique<Countdown>();
    ++countdowns_;
  }
  return *countdown;
}

void TaintEviction::Drop(PodId id) {
  due_.Erase(id);
  if (std::exchange(pods_[id].countdown, nullptr) != nullptr) --countdowns_;
}

void TaintEviction::Finish(const ActionFinished& event, const Turn& turn) {
  const auto id = static_cast<PodId>(event.id & 0xffff'ffff);
  const Pod& pod = pods_[id];
  // The pod may be gone, or another decision was made.
  if (pod.countdown == nullptr || pod.attempt != event.id >> kPodBits) return;
  if (pod.countdown->phase == Phase::Confirming) return OnAnswer(id, event.status, turn);
  if (pod.countdown->phase != Phase::Evicting) return;
  if (!event.status) {
    if (pod.countdown->is_gated && ReturnToGate(id, event.status.error(), turn.now)) return;
    return TryLater(id, Phase::Retrying, turn.now);
  }
  if (pod.countdown->is_gated) {
    gate_->Report(client_, pod.object->metadata().uid, EvictionGate::Outcome::Done, turn.now);
  }
  pod.countdown->phase = Phase::Evicted;
  CountDeletion(*pod.countdown, turn.now);
}

void TaintEviction::TryLater(PodId id, Phase phase, Instant now) {
  Countdown& countdown = *pods_[id].countdown;
  countdown.phase = phase;
  countdown.wait =
      countdown.wait == Duration::zero() ? kRetryMin : std::min(countdown.wait * 2, kRetryMax);
  due_.Set(id, now + countdown.wait);
}

void TaintEviction::CountDeletion(const Countdown& countdown, Instant now) {
  deletions_.Add();
  deletion_seconds_.Observe(std::chrono::duration<double>(now - countdown.at).count());
}

void TaintEviction::Wake(const Turn& turn) {
  stays_.SetBudget(kExpressionBudget);
  if (gate_ != nullptr && gate_->HasReleased(client_)) EvictReleased(turn);
  // Pods that are due together mostly share a taint, so the text is cached.
  std::pair<Duration, Instant> told(Duration(-1), Instant{});
  std::string time_text;
  while (const auto due = due_.Take(turn.now)) {
    const Countdown& countdown = *pods_[due->id].countdown;
    if (countdown.phase == Phase::Unconfirmed) {
      Judge(due->id, View::MaybeOld, turn);
      continue;
    }
    if (countdown.phase == Phase::Retrying) {
      Evict(due->id, turn);
      continue;
    }
    if (Hold(due->id, countdown.stay, countdown.limit, due->when, turn)) continue;
    const Stay::Limit& over = countdown.stay->limits[countdown.limit];
    if (const std::pair ran(over.time, due->when - over.time); ran != told) {
      told = ran;
      time_text = TimeIsOverText(ran.first, ran.second);
    }
    AnnounceAndEvict(due->id, over.why, time_text, due->when, turn);
  }
  if (!put_off_.empty()) Judge(*put_off_.begin(), View::MaybeOld, turn);
}

}  // namespace plimsoll::controller
