#include "controller/eviction_request/eviction_request.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "api/lifecycle/eviction.h"
#include "api/lifecycle/eviction_request.h"
#include "base/time_arithmetic.h"
#include "controller/unread_fields.h"

namespace plimsoll::controller {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

using Kind = EvictionStep::Kind;

constexpr std::string_view kVersion = "v1alpha1";
constexpr std::string_view kGroup = "lifecycle.k8s.io";

constexpr Duration kPostWaitMin = seconds(2);
constexpr Duration kPostWaitMax = seconds(60);
/// Time for the watch event of a write. It does not come if the write has changed nothing.
constexpr Duration kEventWait = seconds(10);
/// Time for the pod to terminate after pods/eviction has accepted.
constexpr Duration kTerminationWait = seconds(30);
/// Delay per request of a pod, so that a flood of requests for one pod stays cheap.
constexpr Duration kWaitPerRequest = milliseconds(1);
constexpr std::size_t kFewRequests = 100;
constexpr std::size_t kMessageBytesMax = 1000;

const api::KindDesc& EvictionKind() {
  static const api::KindDesc& kind = *api::FindKind(kGroup, kVersion, "Eviction");
  return kind;
}

std::string_view VersionOf(const EvictionTarget& target) {
  return target.eviction == nullptr ? std::string_view()
                                    : target.eviction->metadata().resource_version;
}

const api::Object& AnyOf(const ObjectChanged& change) {
  return *(change.new_object != nullptr ? change.new_object : change.old_object);
}

}  // namespace

EvictionRequestController::EvictionRequestController()
    : queue_({.min = milliseconds(100), .max = seconds(60)}) {}

std::span<const WatchedKind> EvictionRequestController::watched() const {
  static constexpr std::array kWatched = {
      WatchedKind{kGroup, kVersion, "EvictionRequest"},
      WatchedKind{kGroup, kVersion, "Eviction"},
      WatchedKind{"", "v1", "Pod", kUnusedPodFields},
  };
  return kWatched;
}

// ---- Events -------------------------------------------------------------------------------------

EvictionRequestController::Key EvictionRequestController::KeyOf(const api::Object& object) {
  const std::optional<api::EvictionPodReference>& pod =
      object.kind().kind == "Eviction" ? object.As<api::PodEviction>()->pod
                                       : object.As<api::EvictionRequest>()->pod;
  return {std::string(object.metadata().namespace_), pod ? std::string(pod->name) : std::string(),
          pod ? std::string(pod->uid) : std::string()};
}

void EvictionRequestController::OnChange(const ObjectChanged& change, Instant now) {
  const api::KindDesc& kind = AnyOf(change).kind();
  if (kind.kind == "Pod") return ObservePod(change);
  if (kind.group != kGroup) return;
  if (kind.kind == "EvictionRequest") return ObserveRequest(change, now);
  if (kind.kind == "Eviction") ObserveEviction(change);
}

void EvictionRequestController::ObservePod(const ObjectChanged& change) {
  const api::ObjectMeta& metadata = AnyOf(change).metadata();
  // The keys are views into the objects.
  pods_.erase(metadata.uid);
  if (change.new_object != nullptr) pods_.emplace(metadata.uid, change.new_object);
  if (targets_.empty()) return;
  Key key{std::string(metadata.namespace_), std::string(metadata.name), std::string(metadata.uid)};
  if (targets_.contains(key)) queue_.Add(key);
}

void EvictionRequestController::ObserveRequest(const ObjectChanged& change, Instant now) {
  const api::Object& object = AnyOf(change);
  const Key key = KeyOf(object);
  Target& target = targets_[key];
  const std::string name(object.metadata().name);
  if (change.new_object != nullptr) {
    target.facts.requests.insert_or_assign(name, change.new_object);
  } else {
    target.facts.requests.erase(name);
    target.written_requests.erase(name);
  }
  const auto count = static_cast<std::int64_t>(target.facts.requests.size());
  if (target.facts.requests.size() <= kFewRequests) return queue_.Add(key);
  queue_.AddAt(key, SaturatingAdd(now, kWaitPerRequest * count));
}

void EvictionRequestController::ObserveEviction(const ObjectChanged& change) {
  const api::Object& object = AnyOf(change);
  const Key key = KeyOf(object);
  Target& target = targets_[key];
  if (object.metadata().name == key.uid) {
    target.facts.eviction = change.new_object;
  } else if (change.new_object != nullptr) {
    target.rivals.emplace(object.metadata().name);
  } else {
    target.rivals.erase(std::string(object.metadata().name));
  }
  queue_.Add(key);
}

// ---- Decisions ----------------------------------------------------------------------------------

void EvictionRequestController::Run(const Turn& turn) {
  while (const std::optional<Key> key = queue_.Take(turn.now)) {
    const auto found = targets_.find(*key);
    if (found == targets_.end()) continue;
    Target& target = found->second;
    const bool is_idle = target.facts.requests.empty() && target.facts.eviction == nullptr &&
                         target.rivals.empty() && !target.is_writing;
    if (is_idle) {
      queue_.Erase(*key);
      targets_.erase(found);
      continue;
    }
    Sync(*key, target, turn);
  }
}

void EvictionRequestController::Sync(const Key& key, Target& target, const Turn& turn) {
  // Another controller, such as upstream's, coordinates this pod.
  if (!target.rivals.empty()) return;
  target.facts.namespace_ = key.namespace_;
  target.facts.name = key.name;
  target.facts.uid = key.uid;
  const auto pod = pods_.find(key.uid);
  const bool is_pod = pod != pods_.end() && pod->second->metadata().name == key.name &&
                      pod->second->metadata().namespace_ == key.namespace_;
  target.facts.pod = is_pod ? pod->second : nullptr;
  WriteEviction(key, target, turn);
  WriteRequests(key, target, turn);
}

void EvictionRequestController::WriteRequests(const Key& key, Target& target, const Turn& turn) {
  for (const auto& [name, request] : target.facts.requests) {
    if (!request->metadata().deletion_timestamp.empty()) continue;
    const auto written = target.written_requests.find(name);
    if (written != target.written_requests.end()) {
      if (written->second == request->metadata().resource_version) continue;
      target.written_requests.erase(written);
    }
    RequestStep step = NextRequestStep(*request, target.facts, turn.now);
    if (step.due) queue_.AddAt(key, *step.due);
    if (step.patch.empty()) continue;
    target.written_requests.emplace(name, request->metadata().resource_version);
    const ActionId id =
        Expect({.key = key, .kind = Kind::PatchStatus, .request = name, .events = {}});
    turn.Do(PatchObject{
        .id = id, .object = request, .subresource = "status", .body = std::move(step.patch)});
  }
}

void EvictionRequestController::WriteEviction(const Key& key, Target& target, const Turn& turn) {
  if (target.is_writing) return;
  if (turn.now < target.written_until && VersionOf(target.facts) == target.written_version) return;
  EvictionStep step =
      NextEvictionStep(target.facts, target.report ? &*target.report : nullptr, turn.now);
  if (step.due) queue_.AddAt(key, *step.due);
  if (step.kind == Kind::Post && turn.now < target.post_at) {
    return queue_.AddAt(key, target.post_at);
  }
  if (step.kind != Kind::Nothing) Do(key, target, std::move(step), turn);
}

ActionId EvictionRequestController::Expect(Pending pending) {
  pending_.emplace(next_id_, std::move(pending));
  return next_id_++;
}

void EvictionRequestController::Do(const Key& key, Target& target, EvictionStep step,
                                   const Turn& turn) {
  target.is_writing = true;
  target.written_version = VersionOf(target.facts);
  target.written_until = step.kind == Kind::Post ? Instant::min() : Instant::max();
  const ActionId id =
      Expect({.key = key, .kind = step.kind, .request = {}, .events = std::move(step.events)});
  const ObjectPtr& eviction = target.facts.eviction;
  switch (step.kind) {
    case Kind::Nothing:
      return;
    case Kind::Create:
      return turn.Do(CreateObject{.id = id,
                                  .object = api::ObjectRef(EvictionKind(), key.namespace_),
                                  .body = std::move(step.body)});
    case Kind::PatchLabels:
      return turn.Do(PatchObject{.id = id, .object = eviction, .body = std::move(step.body)});
    case Kind::PatchStatus:
      return turn.Do(PatchObject{
          .id = id, .object = eviction, .subresource = "status", .body = std::move(step.body)});
    case Kind::Delete:
      return turn.Do(DeleteObject{.id = id, .object = eviction});
    case Kind::Post:
      return turn.Do(PostEviction{.id = id, .pod = target.facts.pod});
  }
}

// ---- Outcomes -----------------------------------------------------------------------------------

void EvictionRequestController::Finish(const ActionFinished& finished, const Turn& turn) {
  auto node = pending_.extract(finished.id);
  if (node.empty()) return;
  Pending& pending = node.mapped();
  const auto found = targets_.find(pending.key);
  if (found == targets_.end()) return;
  Target& target = found->second;
  if (!pending.request.empty()) {
    // A failed write is repeated; an older version means that a watch event is on its way.
    if (finished.status) return;
    target.written_requests.erase(pending.request);
    return queue_.Retry(pending.key, turn.now);
  }
  target.is_writing = false;
  if (pending.kind == Kind::Post) {
    return FinishPost(pending.key, target, finished, turn.now);
  }
  if (!finished.status) {
    target.written_until = Instant::min();
    const bool is_hopeless = api::IsNamespaceTerminating(finished.status.error());
    if (!is_hopeless) queue_.Retry(pending.key, turn.now);
    return;
  }
  queue_.Forget(pending.key);
  for (EvictionStep::Event& event : pending.events) {
    if (target.facts.pod == nullptr) break;
    turn.Do(RecordEvent{.regarding = target.facts.pod,
                        .type = event.type,
                        .reason = std::string(event.reason),
                        .message = std::move(event.message)});
  }
  target.written_until = SaturatingAdd(turn.now, kEventWait);
  queue_.AddAt(pending.key,
               VersionOf(target.facts) == target.written_version ? target.written_until : turn.now);
}

void EvictionRequestController::FinishPost(const Key& key, Target& target,
                                           const ActionFinished& finished, Instant now) {
  if (finished.status) {
    target.report = EvictorReport{now, "The API server has accepted the eviction."};
    target.post_wait = Duration::zero();
    target.post_at = SaturatingAdd(now, kTerminationWait);
    return queue_.Add(key);
  }
  const std::string text = "Trying again: " + finished.status.error().Text();
  target.report = EvictorReport{now, text.substr(0, kMessageBytesMax)};
  target.post_wait = std::clamp(target.post_wait * 2, kPostWaitMin, kPostWaitMax);
  target.post_at = SaturatingAdd(now, target.post_wait);
  queue_.Add(key);
}

}  // namespace plimsoll::controller
