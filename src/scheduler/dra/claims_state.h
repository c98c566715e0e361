#pragma once

#include <map>
#include <optional>
#include <vector>

#include "dra/allocator.h"
#include "scheduler/dra/allocated_claim.h"
#include "scheduler/dra/extended_resources.h"
#include "scheduler/framework/plugin.h"

namespace plimsoll::scheduler {

/// The claims of one pod that is being placed.
class ClaimsState final : public PluginState {
 public:
  std::vector<AllocatedClaim> allocated;  // already allocated
  std::vector<ObjectPtr> wanted;          // to be allocated
  /// Requests for extended resources that a DeviceClass provides. Nodes differ in which of them
  /// they provide without devices.
  std::vector<ExtendedRequest> extended;
  const api::ObjectMeta* pod = nullptr;   // set if `extended` is not empty
  ObjectPtr leftover;                     // claim for extended resources from an earlier attempt
  mutable std::optional<NodeSlot> fault;  // node on which the last Filter failed

  /// Returns the claims that must be allocated on such a node; may be empty.
  const dra::ClaimSet& SetFor(dra::Allocator& allocator, const Allocatable& node) const;
  /// Returns the requests of `extended` that such a node does not provide itself.
  std::vector<ExtendedRequest> ExtendedOn(const Allocatable& node) const;
  /// Removes the nodes that cannot satisfy the claims, and sets `fault`.
  void FilterNodes(ClusterState& cluster, Bitmap& nodes) const;
  /// Temporary uid of the claim for extended resources.
  std::string ExtendedUid() const { return "extended-resources-of-" + std::string(pod->uid); }

 private:
  using Lacks = std::vector<bool>;  // by index in `extended`: the node does not provide it itself
  Lacks LacksOf(const Allocatable& node) const;
  const dra::ClaimSet& SetFor(dra::Allocator& allocator, const Lacks& lacks) const;

  mutable std::map<Lacks, dra::ClaimSet> sets_;
};

}  // namespace plimsoll::scheduler
