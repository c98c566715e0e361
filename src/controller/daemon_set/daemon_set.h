#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controller/daemon_set/daemon_placement.h"
#include "controller/workload/revision_history.h"
#include "controller/workload/workload_controller.h"
#include "match/expression_memo.h"

namespace plimsoll::controller {

/// Keeps one pod of a DaemonSet on every matching node: upstream's daemonset controller. Each node
/// is matched once per version of the template, and again when its labels or taints change. A
/// heartbeat costs nothing.
class DaemonSetController final : public WorkloadController {
 public:
  /// Maximum number of pods that one Sync creates or deletes; upstream's value.
  static constexpr std::size_t kDaemonBurst = 250;

  /// `rules` must outlive the controller.
  explicit DaemonSetController(const match::Rules& rules);

  std::string_view name() const override { return "daemonset-controller"; }
  std::string_view component() const override { return "daemonset-controller"; }
  std::span<const WatchedKind> watched() const override;

 private:
  /// Back-off of a node whose daemon pods fail.
  struct FailureWait {
    Duration wait{};
    Instant since{};
  };
  struct Daemon {
    std::unique_ptr<match::ExpressionMemo> expressions;  // cache for the placement's tolerations
    std::unique_ptr<DaemonPlacement> placement;
    std::map<std::string, DaemonAnswer, std::less<>> answers;  // by node name
    std::set<std::string, std::less<>> unanswered;             // nodes yet to be matched
    std::map<std::string, FailureWait, std::less<>> failures;  // by node name
    std::optional<std::int64_t> generation;
    PendingRevision revision;
  };
  using PodsByNode = std::map<std::string_view, std::vector<const OwnedPod*>>;
  /// Intermediate results of one Sync.
  struct SyncState {
    PodOwner& owner;
    Daemon& daemon;
    std::string hash;  // of the current revision
    PodsByNode pods;
    const Turn& turn;
  };

  void Sync(PodOwner& owner, const Turn& turn) override;
  void OnOtherChange(const ObjectChanged& change, Instant now) override;
  void OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now) override;
  void OwnerGone(const PodOwner& owner) override;
  void WriteFinished(PodOwner& owner, ActionId id, const Status& status, const Turn& turn) override;

  void OnNodeChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  /// Matches the nodes that have no answer yet, up to the CEL cost limit. Returns false if nodes
  /// are left.
  bool AnswerNodes(Daemon& daemon);
  void CleanUpHistory(const SyncState& state, const Revisions& revisions);
  void WriteStatus(const SyncState& state);

  // manage.cc
  void Manage(SyncState& state);
  void ManageNode(SyncState& state, std::string_view node, const DaemonAnswer& answer,
                  std::vector<const OwnedPod*>& to_delete, bool& needs_pod);
  bool MayDeleteFinished(SyncState& state, std::string_view node, const OwnedPod& pod);
  void RollingUpdate(SyncState& state);
  void ReplaceWithinUnavailable(SyncState& state, std::int64_t max_unavailable);
  void ReplaceWithSurge(SyncState& state, std::int64_t max_surge);
  void Apply(SyncState& state, std::vector<const OwnedPod*> to_delete,
             std::vector<std::string_view> needing);
  static bool IsUpdated(const SyncState& state, const OwnedPod& pod);
  static std::int64_t CountWanted(const Daemon& daemon);
  static std::optional<std::pair<const OwnedPod*, const OwnedPod*>> NewAndOld(
      const SyncState& state, const std::vector<const OwnedPod*>& pods);

  const match::Rules& rules_;
  const api::KindDesc* revision_kind_;
  std::map<std::string, ObjectPtr, std::less<>> nodes_;
  std::map<std::string, Daemon, std::less<>> daemons_;  // by uid
  RevisionHistory history_;
};

}  // namespace plimsoll::controller
