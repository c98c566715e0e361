#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/metrics.h"
#include "base/result.h"
#include "base/time.h"
#include "scheduler/scheduler.h"

namespace plimsoll::cli {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// A cluster at one time, before the scheduler that would place its pods. That one is told of all
/// objects but never that this was all, so it decides nothing and only answers.
class ExplainCluster {
 public:
  /// The profiles must have one.
  ExplainCluster(scheduler::SchedulerOptions options, const std::vector<ObjectPtr>& objects,
                 Instant now);

  /// Takes the pod in as one that waits for a node, wherever it is now, in place of the one of its
  /// name. A profile that there is none of is replaced by the first: see ProfileOf.
  Status Await(const api::Object& pod);
  /// The pod of Await, which must have been.
  scheduler::PodUnderTest pod() const;
  const ObjectPtr& pod_object() const { return awaited_; }
  scheduler::Framework& framework() { return *framework_; }

  scheduler::ClusterState& cluster() { return framework_->cluster(); }
  const scheduler::ClusterState& cluster() const { return scheduler_.cluster(); }
  /// Null when there is none of that name.
  ObjectPtr FindNode(std::string_view name) const;
  std::vector<std::string> NodeNames() const;

  /// The profile that would place the pod, and otherwise the first.
  const std::string& ProfileOf(const api::Pod& pod) const;

 private:
  void Tell(const ObjectPtr& before, const ObjectPtr& after);

  const Instant now_;
  std::vector<std::string> profiles_;
  MetricsRegistry metrics_;
  scheduler::Scheduler scheduler_;
  scheduler::Framework* framework_ = nullptr;
  std::map<std::string, ObjectPtr, std::less<>> nodes_;
  std::map<std::pair<std::string, std::string>, ObjectPtr> pods_;  // by namespace and name
  ObjectPtr awaited_;
};

}  // namespace plimsoll::cli
