#include "agent/node_leases.h"

#include <algorithm>

#include "base/assert.h"

namespace plimsoll::agent {
namespace {

const api::KindDesc& LeaseKind() {
  static const api::KindDesc* const kind = api::FindKind("coordination.k8s.io", "v1", "Lease");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

}  // namespace

NodeLeases::NodeLeases(const Durations& durations, ActionId& next_action, AgentMetrics& metrics)
    : lease_duration_(durations.lease),
      metrics_(metrics),
      wheel_(durations.renewal),
      pending_(next_action) {}

void NodeLeases::Start(const NodeRecord& node, bool is_new, Instant now) {
  leases_.resize(std::max<std::size_t>(leases_.size(), node.index + 1));
  leases_[node.index].node = &node;
  leases_[node.index].is_missing = is_new;
  wheel_.Add(node.index, now);
}

void NodeLeases::Renew(const NodeRecord& node, const Turn& turn) {
  LeaseState& lease = leases_[node.index];
  if (lease.write != 0) return;
  lease.write = pending_.Begin(node.index);
  const api::ObjectRef object(LeaseKind(), "kube-node-lease", node.name);
  if (!lease.is_missing) {
    // A small patch, because thousands of nodes renew. NotFound: there is no Lease.
    turn.Do(PatchObject{.id = lease.write, .object = object, .body = RenewalPatch(turn.now)});
    return;
  }
  turn.Do(CreateObject{.id = lease.write,
                       .object = object,
                       .body = LeaseJson(*node.object, lease_duration_, turn.now)});
}

bool NodeLeases::Finish(const ActionFinished& event, const Turn& turn) {
  const std::optional<std::uint32_t> index = pending_.Finish(event.id);
  if (!index) return false;
  LeaseState& lease = leases_[*index];
  lease.write = 0;
  if (event.status) {
    lease.is_missing = false;
    return true;
  }
  const Reason reason = event.status.error().reason;
  const bool is_missing = reason == Reason::NotFound;
  if (is_missing == lease.is_missing || (!is_missing && reason != Reason::AlreadyExists)) {
    metrics_.failed_renewals.Add();  // retried at the next turn of the wheel
    return true;
  }
  lease.is_missing = is_missing;
  if (lease.node->is_there && !lease.node->is_silent) Renew(*lease.node, turn);
  return true;
}

void NodeLeases::Wake(const Turn& turn) {
  std::vector<std::uint32_t> due;
  wheel_.TakeDue(turn.now, due);
  for (const std::uint32_t index : due) {
    const NodeRecord& node = *leases_[index].node;
    if (node.is_there && !node.is_silent) Renew(node, turn);
  }
}

}  // namespace plimsoll::agent
