#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/slice_tracker.h"
#include "match/node_selector.h"

/// The published pools as one node can use them.
namespace plimsoll::dra {

/// A shared counter of a pool, and the amount that a device consumes of it.
struct CounterUse {
  std::uint32_t counter = 0;  // index in NodePool::counters
  Quantity amount;
};

struct PoolCounter {
  std::string_view set;
  std::string_view name;
  Quantity value;
};

/// Amounts of the pool's counters that a device consumes once it is allocated.
struct CounterUser {
  DeviceId device = 0;
  std::vector<CounterUse> uses;
};

struct NodePool {
  const TrackedPool* pool = nullptr;
  bool is_incomplete = false;  // slices are missing: it is being updated
  bool is_invalid = false;
  std::string invalid_reason;
  bool has_binding_conditions = false;
  std::vector<PoolCounter> counters;
  std::vector<CounterUser> counter_users;  // including devices of other nodes

  bool is_usable() const { return !is_incomplete && !is_invalid; }
};

/// A device that may be allocated to a request.
struct Candidate {
  const TrackedDevice* tracked = nullptr;
  std::uint32_t pool = 0;     // index in NodePools::pools
  bool fits_node = true;      // per-device node selection, if the slice uses it
  bool is_shareable = false;  // allowMultipleAllocations
  bool has_policies = false;
  const CounterUser* counters = nullptr;  // null: consumes no counters

  const api::Device& device() const { return *tracked->device; }
};

/// Pools by driver and name, except that pools with binding conditions come last. Also the devices
/// of the usable pools, in the order of the search.
struct NodePools {
  std::vector<NodePool> pools;
  std::vector<Candidate> devices;
  bool has_invalid = false;
  bool has_counters = false;
  std::string fault;  // unreadable node selector: no allocation is possible
};

NodePools GatherPools(const SliceTracker& tracker, const match::NodeView& node,
                      const match::Rules& rules);

/// Returns true if the node may use a slice of the pool that is not bound to one node.
bool CanUseShared(const TrackedPool& pool, const match::NodeView& node, const match::Rules& rules);

}  // namespace plimsoll::dra
