#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controller/eviction_request/eviction_plan.h"
#include "controller/queued_controller.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

/// Turns the EvictionRequests for a pod into one Eviction, and gives its responders their turns. On
/// the turn of `imperative-eviction.k8s.io/evictor`, evicts the pod by pods/eviction.
///
/// Its state is derived from the objects alone. Only the back-off of pods/eviction is lost with the
/// process: a new one tries at once.
class EvictionRequestController final : public QueuedController {
 public:
  static constexpr std::string_view kName = "eviction-request-controller";

  EvictionRequestController();

  std::string_view name() const override { return kName; }
  std::string_view component() const override { return kName; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    queue_.Measure(metrics.Add("eviction_request"));
  }
  std::span<const WatchedKind> watched() const override;

 private:
  /// Identifies a pod. A request with a wrong name or namespace is about another one.
  struct Key {
    std::string namespace_;
    std::string name;
    std::string uid;
    auto operator<=>(const Key&) const = default;
  };
  struct Target {
    EvictionTarget facts;
    std::set<std::string, std::less<>> rivals;  // Evictions that this controller has not made
    bool is_writing = false;                    // an action about the Eviction is in flight
    // After a write, the controller waits for its watch event: for another version of the Eviction
    // than before it (empty: there was none).
    std::string written_version;
    Instant written_until = Instant::min();
    std::map<std::string, std::string, std::less<>> written_requests;  // same, by request
    std::optional<EvictorReport> report;
    Duration post_wait{};
    Instant post_at{};
  };
  struct Pending {
    Key key;
    EvictionStep::Kind kind = EvictionStep::Kind::Nothing;
    std::string request;  // not empty: the action is about this request
    std::vector<EvictionStep::Event> events;
  };

  void OnChange(const ObjectChanged& change, Instant now) override;
  void Finish(const ActionFinished& finished, const Turn& turn) override;
  void Run(const Turn& turn) override;
  std::optional<Instant> NextDue() const override { return queue_.NextWake(); }

  void ObservePod(const ObjectChanged& change);
  void ObserveRequest(const ObjectChanged& change, Instant now);
  void ObserveEviction(const ObjectChanged& change);
  static Key KeyOf(const api::Object& object);

  void Sync(const Key& key, Target& target, const Turn& turn);
  void WriteRequests(const Key& key, Target& target, const Turn& turn);
  void WriteEviction(const Key& key, Target& target, const Turn& turn);
  void Do(const Key& key, Target& target, EvictionStep step, const Turn& turn);
  void FinishPost(const Key& key, Target& target, const ActionFinished& finished, Instant now);
  ActionId Expect(Pending pending);

  WorkQueue<Key> queue_;
  std::map<Key, Target> targets_;
  std::map<std::string_view, ObjectPtr> pods_;  // by uid
  std::map<ActionId, Pending> pending_;
  ActionId next_id_ = 1;
};

}  // namespace plimsoll::controller
