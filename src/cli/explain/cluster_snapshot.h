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

/// Returns the pod as it was before it was bound to a node, for a scheduler with that profile.
Result<ObjectPtr> AsPendingPod(const api::Object& pod, const std::string& profile);

/// Snapshot of a cluster, loaded into the scheduler that would place its pods. The scheduler gets
/// all objects but no Synced event, so it only answers queries and never decides.
class ClusterSnapshot {
 public:
  /// REQUIRES: there is at least one profile.
  ClusterSnapshot(scheduler::SchedulerOptions options, const std::vector<ObjectPtr>& objects,
                  Instant now);

  /// Adds the pod as pending, even if it is bound, and replaces the pod of that name. An unknown
  /// schedulerName is replaced by the first profile: see ProfileOf.
  Status AddPendingPod(const api::Object& pod);
  /// Adds an object that is neither a node nor a pod, or replaces the one of its name.
  void AddObject(const ObjectPtr& object) { Observe(nullptr, object); }
  /// Undoes the last AddPendingPod: the pod is again what it was before. REQUIRES: AddPendingPod
  /// was called since the last RestorePod.
  void RestorePod();
  /// Returns the pod of AddPendingPod. REQUIRES: AddPendingPod was called.
  scheduler::PodUnderTest pod() const;
  const ObjectPtr& pending_pod() const { return pending_pod_; }
  scheduler::Framework& framework() { return *framework_; }

  scheduler::ClusterState& cluster() { return framework_->cluster(); }
  const scheduler::ClusterState& cluster() const { return scheduler_.cluster(); }
  /// Returns null if there is no such node.
  ObjectPtr FindNode(std::string_view name) const;
  std::vector<std::string> NodeNames() const;

  /// Returns the profile that would schedule the pod, or else the first.
  const std::string& ProfileOf(const api::Pod& pod) const;

 private:
  void Observe(const ObjectPtr& before, const ObjectPtr& after);

  const Instant now_;
  std::vector<std::string> profiles_;
  MetricsRegistry metrics_;
  scheduler::Scheduler scheduler_;
  scheduler::Framework* framework_ = nullptr;
  std::map<std::string, ObjectPtr, std::less<>> nodes_;
  std::map<std::pair<std::string, std::string>, ObjectPtr> pods_;  // by namespace and name
  ObjectPtr pending_pod_;
  ObjectPtr replaced_pod_;  // by pending_pod_; may be null
};

}  // namespace plimsoll::cli
