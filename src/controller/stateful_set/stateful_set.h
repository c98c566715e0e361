#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controller/workload/revision_history.h"
#include "controller/workload/workload_controller.h"

namespace plimsoll::controller {

/// Keeps pods with stable names (web-0 to web-2), each with its own claims: upstream's statefulset
/// controller. With OrderedReady, the next pod is changed only when all before it are available.
/// With Parallel, all are changed at once.
class StatefulSetController final : public WorkloadController {
 public:
  StatefulSetController();

  std::string_view name() const override { return "statefulset-controller"; }
  std::string_view component() const override { return "statefulset-controller"; }
  std::span<const WatchedKind> watched() const override;

 private:
  enum class WriteKind : std::uint8_t { CreatePod, DeletePod, CreateClaim };
  struct Write {
    WriteKind kind = WriteKind::CreatePod;
    std::string pod_name;
    std::string claim_name;
  };
  struct Stateful {
    PendingRevision revision;
    std::map<std::string, Instant, std::less<>> creating;  // pods, each with the end of the wait
    std::set<std::string, std::less<>> deleting;           // pod names
    std::set<std::string, std::less<>> claiming;           // claims whose creation is in flight
    std::set<std::string, std::less<>> claimed;            // claims created, not yet observed
  };
  /// State of one sync.
  struct Look {
    PodOwner& owner;
    Stateful& stateful;
    const Turn& turn;
    std::int64_t start = 0;
    std::int64_t replicas = 1;
    bool is_ordered = true;
    ObjectPtr current{};  // revisions
    ObjectPtr update{};
    std::vector<const OwnedPod*> pods{};       // by ordinal minus start; null: missing
    std::vector<const OwnedPod*> condemned{};  // surplus pods, highest ordinal first
    const OwnedPod* first_unhealthy = nullptr;
  };

  void Sync(PodOwner& owner, const Turn& turn) override;
  void OnOtherChange(const ObjectChanged& change, Instant now) override;
  void OwnerGone(const PodOwner& owner) override;
  void OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now) override;
  void PodChanged(PodOwner& owner, const ObjectPtr& before, const ObjectPtr& after,
                  Instant now) override;
  void WriteFinished(PodOwner& owner, ActionId id, const Status& status, const Turn& turn) override;
  bool MayAdopt(const PodOwner& owner, const api::Object& pod) const override;

  void FinishPod(PodOwner& owner, Stateful& stateful, const Write& write, const Status& status,
                 const Turn& turn);
  void CleanUpHistory(const Look& look, const Revisions& revisions);

  // ordinals.cc
  static void SortPods(Look& look);
  void Manage(Look& look);
  /// Returns true if later pods must wait for this one.
  bool ManageReplica(Look& look, std::int64_t ordinal);
  bool ManageCondemned(Look& look, const OwnedPod& pod);
  void RollOut(Look& look);
  void Create(Look& look, std::int64_t ordinal);
  bool CreateClaims(Look& look, std::int64_t ordinal, const std::string& pod_name);
  void Delete(Look& look, const OwnedPod& pod);
  static bool IsLeaving(const Look& look, const OwnedPod& pod);
  static bool IsUpdated(const Look& look, const OwnedPod& pod);
  static std::int64_t CountKept(const Look& look);
  void WriteStatus(Look& look);

  std::map<std::string, Stateful, std::less<>> statefuls_;  // by uid
  std::map<std::pair<std::string, std::string>, ObjectPtr> claims_;
  std::map<ActionId, Write> pod_writes_;
  RevisionHistory history_;
  const api::KindDesc* revision_kind_;
  const api::KindDesc* claim_kind_;
  const api::KindDesc* pod_kind_;
};

}  // namespace plimsoll::controller
