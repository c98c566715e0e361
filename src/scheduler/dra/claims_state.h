#pragma once

#include <map>
#include <optional>
#include <vector>

#include "dra/allocator.h"
#include "scheduler/dra/allocated_claim.h"
#include "scheduler/dra/extended_resources.h"
#include "scheduler/framework/plugin.h"

namespace plimsoll::scheduler {

/// The claims of one pod that is to be placed.
class ClaimsState final : public PluginState {
 public:
  std::vector<AllocatedClaim> allocated;  // those that have devices
  std::vector<ObjectPtr> wanted;          // those that are to get some
  /// What is asked for as a resource, and which of it a node gives by itself differs from node to
  /// node.
  std::vector<ExtendedRequest> extended;
  const api::ObjectMeta* pod = nullptr;   // with `extended`
  ObjectPtr leftover;                     // the claim for these of an earlier attempt
  mutable std::optional<NodeSlot> fault;  // of the last Filter

  /// What a node with that has to have devices for; empty: nothing.
  const dra::ClaimSet& SetFor(dra::Allocator& allocator, const Allocatable& node) const;
  /// Those of `extended` that such a node does not have by itself.
  std::vector<ExtendedRequest> ExtendedOn(const Allocatable& node) const;
  /// Keeps the nodes that can satisfy the claims; sets `fault`.
  void Keep(ClusterState& cluster, Bitmap& nodes) const;
  /// In the sets, the claim for what is asked for as resources bears this uid.
  std::string ExtendedUid() const { return "extended-resources-of-" + std::string(pod->uid); }

 private:
  using Lacks = std::vector<bool>;  // which of `extended` the node does not have by itself
  Lacks LacksOf(const Allocatable& node) const;
  const dra::ClaimSet& SetFor(dra::Allocator& allocator, const Lacks& lacks) const;

  mutable std::map<Lacks, dra::ClaimSet> sets_;
};

}  // namespace plimsoll::scheduler
