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

/// Keeps one pod of a DaemonSet on every node that suits it: upstream's daemonset controller.
/// Whether a node suits is asked once per node and version of the template, and again when the
/// node's labels or taints change; a heartbeat costs nothing.
class DaemonSetController final : public WorkloadController {
 public:
  /// The most pods that one Sync creates or deletes, as upstream has it.
  static constexpr std::size_t kDaemonBurst = 250;

  /// The rules must outlive it.
  explicit DaemonSetController(const match::Rules& rules);

  std::string_view name() const override { return "daemonset-controller"; }
  std::string_view component() const override { return "daemonset-controller"; }
  std::span<const WatchedKind> watched() const override;

 private:
  /// How long a node whose pods fail has to wait for the next one.
  struct FailureWait {
    Duration wait{};
    Instant since{};
  };
  struct Daemon {
    std::unique_ptr<match::ExpressionMemo> expressions;  // of the placement's tolerations
    std::unique_ptr<DaemonPlacement> placement;
    std::map<std::string, DaemonAnswer, std::less<>> answers;  // by node
    std::set<std::string, std::less<>> unanswered;             // nodes that are still to be asked
    std::map<std::string, FailureWait, std::less<>> failures;  // by node
    std::optional<std::int64_t> generation;
    PendingRevision revision;
  };
  using PodsByNode = std::map<std::string_view, std::vector<const OwnedPod*>>;
  /// What one Sync has found out.
  struct Look {
    PodOwner& owner;
    Daemon& daemon;
    std::string hash;  // of the current revision
    PodsByNode pods;
    Instant now;
    Actions& out;
  };

  void Sync(PodOwner& owner, Instant now, Actions& out) override;
  void TakeOther(const ObjectChanged& change, Instant now) override;
  void OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now) override;
  void OwnerGone(const PodOwner& owner) override;
  void WriteFinished(PodOwner& owner, ActionId id, const Status& status, Instant now,
                     Actions& out) override;

  void TakeNode(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  /// Asks the nodes that are still to be asked, within the budget for expressions. False: there are
  /// some left.
  bool AnswerNodes(Daemon& daemon);
  void CleanUpHistory(const Look& look, const Revisions& revisions);
  void WriteStatus(const Look& look);

  // manage.cc
  void Manage(Look& look);
  void ManageNode(Look& look, std::string_view node, const DaemonAnswer& answer,
                  std::vector<const OwnedPod*>& to_delete, bool& needs_pod);
  bool TakeFailed(Look& look, std::string_view node, const OwnedPod& pod);
  void RollingUpdate(Look& look);
  void ReplaceWithinUnavailable(Look& look, std::int64_t max_unavailable);
  void ReplaceWithSurge(Look& look, std::int64_t max_surge);
  void Apply(Look& look, std::vector<const OwnedPod*> to_delete,
             std::vector<std::string_view> needing);
  static bool IsUpdated(const Look& look, const OwnedPod& pod);
  static std::int64_t CountWanted(const Daemon& daemon);
  static std::optional<std::pair<const OwnedPod*, const OwnedPod*>> NewAndOld(
      const Look& look, const std::vector<const OwnedPod*>& pods);

  const match::Rules& rules_;
  const api::KindDesc* revision_kind_;
  std::map<std::string, ObjectPtr, std::less<>> nodes_;
  std::map<std::string, Daemon, std::less<>> daemons_;  // by uid
  RevisionHistory history_;
};

}  // namespace plimsoll::controller
