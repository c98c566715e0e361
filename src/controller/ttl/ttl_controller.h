#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "controller/controller.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

/// Sets the annotation `node.alpha.kubernetes.io/ttl` of each Node: the seconds for which a kubelet
/// may use a cached Secret or ConfigMap. The time grows with the number of nodes. Upstream's ttl
/// controller.
class TtlController final : public Controller {
 public:
  static constexpr std::string_view kAnnotation = "node.alpha.kubernetes.io/ttl";

  std::string_view name() const override { return "ttl-controller"; }
  std::string_view component() const override { return "ttl-controller"; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    queue_.Measure(metrics.Add("ttlcontroller"));
  }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

 private:
  void Change(const ObjectChanged& change);
  /// Selects the step for the number of nodes, and queues all nodes if it changes.
  void Resize();
  void Run(const Turn& turn);

  WorkQueue<std::string> queue_;                         // node names
  std::map<std::string, ObjectPtr, std::less<>> nodes_;  // by name
  std::map<ActionId, std::string> writes_;
  std::size_t step_ = 0;
  ActionId next_id_ = 1;
  bool is_synced_ = false;
};

}  // namespace plimsoll::controller
