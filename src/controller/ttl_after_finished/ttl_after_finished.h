#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "controller/controller.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

/// Deletes finished Jobs and their dependents after `ttlSecondsAfterFinished`: upstream's
/// ttl-after-finished controller.
class TtlAfterFinishedController final : public Controller {
 public:
  std::string_view name() const override { return "ttl-after-finished-controller"; }
  std::string_view component() const override { return "ttl-after-finished-controller"; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    queue_.Measure(metrics.Add("ttl_jobs_to_delete"));
  }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

 private:
  void Run(const Turn& turn);

  WorkQueue<std::string> queue_;                        // uids
  std::map<std::string, ObjectPtr, std::less<>> jobs_;  // Jobs that will expire, by uid
  std::map<ActionId, std::string> writes_;
  ActionId next_id_ = 1;
  bool is_synced_ = false;
};

}  // namespace plimsoll::controller
