#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/slice_tracker.h"
#include "match/node_selector.h"

/// What a node can use of the pools that drivers publish.
namespace plimsoll::dra {

/// A number out of a pool's shared counters, and what a device takes of it.
struct CounterUse {
  std::uint32_t counter = 0;  // in NodePool::counters
  Quantity amount;
};

struct PoolCounter {
  std::string_view set;
  std::string_view name;
  Quantity value;
};

/// What some device of the pool takes of its counters once it is allocated.
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
  std::vector<CounterUser> counter_users;  // devices for other nodes included

  bool is_usable() const { return !is_incomplete && !is_invalid; }
};

/// A device that a request may be given.
struct Candidate {
  const TrackedDevice* tracked = nullptr;
  std::uint32_t pool = 0;     // in NodePools::pools
  bool fits_node = true;      // what the device itself says, where the slice leaves it to devices
  bool is_shareable = false;  // allowMultipleAllocations
  bool has_policies = false;
  const CounterUser* counters = nullptr;  // null: takes none

  const api::Device& device() const { return *tracked->device; }
};

/// The pools, those with devices that have binding conditions last, else by driver and name; and
/// the devices of those that are usable, in the order in which they are tried.
struct NodePools {
  std::vector<NodePool> pools;
  std::vector<Candidate> devices;
  bool has_invalid = false;
  bool has_counters = false;
  std::string fault;  // a selector that could not be read: nothing can be allocated
};

NodePools GatherPools(const SliceTracker& tracker, const match::NodeView& node,
                      const match::Rules& rules);

/// Whether the node may see something of the pool by slices that are not of one node alone.
bool CanUseShared(const TrackedPool& pool, const match::NodeView& node, const match::Rules& rules);

}  // namespace plimsoll::dra
