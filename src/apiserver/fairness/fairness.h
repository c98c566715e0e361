#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "apiserver/fairness/flow_config.h"
#include "apiserver/fairness/priority_level.h"
#include "apiserver/fairness/watch_tracker.h"
#include "apiserver/request/api_request.h"
#include "base/clock.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

struct FairnessOptions {
  int reading_max = 400;   // --max-requests-inflight
  int mutating_max = 200;  // --max-mutating-requests-inflight
  bool is_enabled = true;  // --enable-priority-and-fairness
  /// Maximum wait in a queue, as upstream: a quarter of the request timeout.
  Duration queue_wait = std::chrono::seconds(15);
  std::uint64_t seed = 0;  // for the choice of queues
};

/// API priority and fairness: divides the server's concurrency among requests. Each request matches
/// a FlowSchema with a priority level. The level gives it seats, queues it or rejects it. If
/// disabled, only the two in-flight limits apply, and requests beyond them are rejected. Safe for
/// use by many threads.
class Fairness {
 public:
  /// Returns the number of stored objects of a resource.
  using CountObjects = std::function<std::size_t(const Resource& resource)>;

  /// Starts with the mandatory configuration. The clock and the registry must outlive this object.
  Fairness(const FairnessOptions& options, Clock& clock, MetricsRegistry& metrics,
           CountObjects count);
  ~Fairness();
  Fairness(const Fairness&) = delete;
  Fairness& operator=(const Fairness&) = delete;

  /// Replaces the configuration. Adds missing mandatory objects. Ignores schemas that name an
  /// unknown level. Requests in flight stay at their level.
  void Configure(std::vector<LevelConfig> levels, std::vector<FlowConfig> flows);

  /// Classifies the request, which the seat keeps. REQUIRES: its user and info are set.
  std::shared_ptr<Seat> NewSeat(std::shared_ptr<const ApiRequest> request) const;
  /// Counts an open watch for as long as the caller keeps the result.
  WatchRegistration RegisterWatch(const RequestInfo& watch) { return watches_->Register(watch); }
  /// Rejects all requests that wait or would have to.
  void Close();

  // The rows of the debugging pages, by the levels' names. A level that was deleted is not listed.
  std::vector<LevelRow> SummarizeLevels() const;
  RowList<QueueRow> ListQueues(std::size_t size_max) const;
  RowList<RequestRow> ListRequests(std::size_t size_max) const;

  const FairnessOptions& options() const { return options_; }
  std::size_t concurrency() const {
    return static_cast<std::size_t>(options_.reading_max) +
           static_cast<std::size_t>(options_.mutating_max);
  }

 private:
  struct FlowTable;
  class Core;

  std::shared_ptr<const Flow> Classify(const ApiRequest& request) const;
  /// Observes the number of watches that the write may wake.
  void CountWatches(const RequestInfo& write, const Flow& flow) const;
  static void Tick(const std::weak_ptr<Core>& core, Clock& clock, int number);

  const FairnessOptions options_;
  const CountObjects count_;
  const std::shared_ptr<WatchTracker> watches_ = std::make_shared<WatchTracker>();
  const std::shared_ptr<Core> core_;
};

/// Returns true if the verb of the request changes objects.
bool IsMutating(const RequestInfo& info);

}  // namespace plimsoll::apiserver
