#include "scheduler/preemption/nominator.h"

namespace plimsoll::scheduler {

std::optional<std::string> Nominator::Apply(PodId pod, const PostFilterOutcome& outcome,
                                            const api::Turn& turn) {
  for (const PodId other : outcome.out_nominated) {
    cluster_.NominatePod(other, kNoNode);
    const PodRecord& record = cluster_.pod(other);
    if (record.pod->status.nominated_node_name.empty()) continue;
    turn.Do(api::UpdatePodStatus{.id = inflight_.Start(InflightActions::Kind::PatchStatus, other),
                                 .pod = record.object,
                                 .condition = std::nullopt,
                                 .nominated_node = ""});
  }
  switch (outcome.nomination) {
    case PostFilterOutcome::Nomination::Leave:
      return std::nullopt;
    case PostFilterOutcome::Nomination::Clear:
      cluster_.NominatePod(pod, kNoNode);
      return "";
    case PostFilterOutcome::Nomination::Set:
      cluster_.NominatePod(pod, outcome.node);
      return std::string(cluster_.node_name(outcome.node));
  }
  return std::nullopt;
}

bool Nominator::OnPodUpdated(PodId pod, std::string_view before) {
  const std::string_view after = cluster_.pod(pod).pod->status.nominated_node_name;
  if (before == after) return false;
  to_missing_nodes_.erase(pod);
  NodeSlot slot = kNoNode;
  if (!after.empty()) {
    const std::optional<NodeSlot> found = cluster_.FindNode(after);
    if (!found) to_missing_nodes_.insert(pod);
    slot = found.value_or(kNoNode);
  }
  cluster_.NominatePod(pod, slot);
  return !before.empty();
}

void Nominator::OnNodeAdded(NodeSlot node) {
  const std::string_view name = cluster_.node_name(node);
  std::erase_if(to_missing_nodes_, [&](PodId pod) {
    if (cluster_.pod(pod).pod->status.nominated_node_name != name) return false;
    cluster_.NominatePod(pod, node);
    return true;
  });
}

}  // namespace plimsoll::scheduler
