#include "dra/node_pools.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace plimsoll::dra {
namespace {

using Slices = std::vector<const TrackedSlice*>;

/// Decides which slices and devices a node can use.
class NodeFilter {
 public:
  NodeFilter(const match::NodeView& node, const match::Rules& rules) : node_(node), rules_(rules) {}

  bool Fits(const api::NodeSelection& nodes) {
    if (nodes.node_name && !nodes.node_name->empty()) return *nodes.node_name == node_.name;
    if (nodes.all_nodes) return true;
    if (!nodes.node_selector) return false;
    const match::NodeSelectorMatcher matcher(*nodes.node_selector, rules_);
    if (std::string error = matcher.ParseError(); !error.empty()) {
      if (parse_error_.empty()) parse_error_ = std::move(error);
      return false;
    }
    return matcher.Match(node_).matched;
  }
  bool Fits(const api::ResourceSlice& slice) {
    if (!slice.per_device_node_selection) return Fits(slice.nodes);
    return std::ranges::any_of(slice.devices,
                               [&](const api::Device& device) { return Fits(device.nodes); });
  }
  /// Error of the first node selector that could not be parsed, if any.
  const std::string& parse_error() const { return parse_error_; }

 private:
  const match::NodeView& node_;
  const match::Rules& rules_;
  std::string parse_error_;
};

std::int64_t GenerationOf(const TrackedSlice& slice) { return slice.view->pool.generation; }

/// The slices of one generation of a pool: those that the node can use, including all with
/// counters, and the others.
struct PoolSlices {
  Slices of_node;
  Slices others;
  bool is_complete = false;
};

/// Returns nothing if a newer generation is being published, so far for other nodes only.
std::optional<PoolSlices> SplitSlices(const TrackedPool& pool, Slices of_node) {
  std::int64_t generation = GenerationOf(*of_node.front());
  for (const TrackedSlice* const slice : of_node) {
    generation = std::max(generation, GenerationOf(*slice));
  }
  std::erase_if(of_node,
                [&](const TrackedSlice* slice) { return GenerationOf(*slice) != generation; });
  PoolSlices split;
  const auto wanted = static_cast<std::size_t>(of_node.front()->view->pool.resource_slice_count);
  split.is_complete = of_node.size() == wanted;
  if (!split.is_complete) {
    if (pool.generation > generation) return std::nullopt;
    for (const TrackedSlice* const slice : pool.slices) {
      if (GenerationOf(*slice) == generation &&
          std::ranges::find(of_node, slice) == of_node.end()) {
        split.others.push_back(slice);
      }
    }
    split.is_complete = of_node.size() + split.others.size() == wanted;
  }
  split.of_node = std::move(of_node);
  return split;
}

/// Returns the first device name that occurs twice.
std::optional<std::string_view> FindTwin(const Slices& slices) {
  std::set<std::string_view> names;
  for (const TrackedSlice* const slice : slices) {
    for (const api::Device& device : slice->view->devices) {
      if (!names.insert(device.name).second) return device.name;
    }
  }
  return std::nullopt;
}

/// Adds the counters of the slices to the pool. Returns false, and sets the reason, if two counter
/// sets have the same name.
bool TakeCounters(const Slices& slices, NodePool& pool) {
  std::set<std::string_view> sets;
  for (const TrackedSlice* const slice : slices) {
    for (const api::CounterSet& set : slice->view->shared_counters) {
      if (!sets.insert(set.name).second) {
        pool.invalid_reason = "duplicate counter set name " + std::string(set.name);
        return false;
      }
      for (const api::NamedQuantity& counter : set.counters) {
        pool.counters.push_back({set.name, counter.name, counter.value});
      }
    }
  }
  return true;
}

/// Returns false, and sets the reason, if the device consumes a counter that does not exist.
bool TakeUser(const TrackedDevice& device, NodePool& pool) {
  CounterUser user{device.id, {}};
  for (const api::CounterConsumption& consumption : device.device->consumes_counters) {
    bool has_set = false;
    for (const PoolCounter& counter : pool.counters) {
      has_set = has_set || counter.set == consumption.counter_set;
    }
    if (!has_set) {
      pool.invalid_reason = "counter set " + std::string(consumption.counter_set) + " not found";
      return false;
    }
    for (const api::NamedQuantity& amount : consumption.counters) {
      const auto at = std::ranges::find_if(pool.counters, [&](const PoolCounter& counter) {
        return counter.set == consumption.counter_set && counter.name == amount.name;
      });
      if (at == pool.counters.end()) {
        pool.invalid_reason = "counter " + std::string(amount.name) + " not found in counter set " +
                              std::string(consumption.counter_set);
        return false;
      }
      user.uses.push_back({static_cast<std::uint32_t>(at - pool.counters.begin()), amount.value});
    }
  }
  if (!user.uses.empty()) pool.counter_users.push_back(std::move(user));
  return true;
}

bool TakeUsers(const Slices& slices, NodePool& pool) {
  for (const TrackedSlice* const slice : slices) {
    for (const TrackedDevice& device : slice->devices) {
      if (!TakeUser(device, pool)) return false;
    }
  }
  return true;
}

/// Returns false, and sets the reason, if the pool is inconsistent.
bool Check(const PoolSlices& slices, NodePool& pool) {
  if (const auto twin = FindTwin(slices.of_node)) {
    pool.invalid_reason = "duplicate device name " + std::string(*twin);
    return false;
  }
  return TakeCounters(slices.of_node, pool) && TakeUsers(slices.of_node, pool) &&
         TakeUsers(slices.others, pool);
}

/// A pool as seen by the node, and the slices that provide its devices.
struct Gathered {
  NodePool pool;
  Slices slices;
};

std::optional<Gathered> Gather(const TrackedPool& pool, Slices of_node) {
  std::optional<PoolSlices> slices = SplitSlices(pool, std::move(of_node));
  if (!slices) return std::nullopt;
  Gathered gathered;
  gathered.pool.pool = &pool;
  gathered.pool.is_incomplete = !slices->is_complete;
  if (!slices->is_complete) return gathered;
  gathered.pool.is_invalid = !Check(*slices, gathered.pool);
  if (gathered.pool.is_invalid) return gathered;
  gathered.slices = std::move(slices->of_node);
  for (const TrackedSlice* const slice : gathered.slices) {
    for (const api::Device& device : slice->view->devices) {
      if (!device.binding_conditions.empty()) gathered.pool.has_binding_conditions = true;
    }
  }
  return gathered;
}

/// Returns the slices that the node can use, by pool, sorted by driver and name.
std::vector<std::pair<const TrackedPool*, Slices>> SlicesByPool(const SliceTracker& tracker,
                                                                const match::NodeView& node,
                                                                NodeFilter& filter) {
  Slices slices;
  for (const TrackedSlice* const slice : tracker.SlicesOfNode(node.name)) slices.push_back(slice);
  for (const TrackedSlice* const slice : tracker.SharedSlices()) {
    if (!slice->view->shared_counters.empty() || filter.Fits(*slice->view)) slices.push_back(slice);
  }
  std::ranges::sort(slices, {}, [](const TrackedSlice* slice) {
    return std::tuple(slice->view->driver, slice->view->pool.name, slice->view->metadata.name);
  });
  std::vector<std::pair<const TrackedPool*, Slices>> pools;
  for (const TrackedSlice* const slice : slices) {
    const std::string_view driver = slice->view->driver;
    const std::string_view name = slice->view->pool.name;
    if (pools.empty() || pools.back().first->driver != driver || pools.back().first->name != name) {
      pools.emplace_back(tracker.FindPool(driver, name), Slices{});
    }
    pools.back().second.push_back(slice);
  }
  return pools;
}

void TakeDevices(const Gathered& gathered, std::uint32_t pool, NodeFilter& filter, NodePools& out) {
  const std::vector<CounterUser>& users = out.pools[pool].counter_users;
  for (const TrackedSlice* const slice : gathered.slices) {
    for (const TrackedDevice& device : slice->devices) {
      const auto user = std::ranges::find(users, device.id, &CounterUser::device);
      out.devices.push_back({.tracked = &device,
                             .pool = pool,
                             .fits_node = !slice->view->per_device_node_selection ||
                                          filter.Fits(device.device->nodes),
                             .is_shareable = device.device->facts.allow_multiple_allocations,
                             .has_policies = !device.device->request_policies.empty(),
                             .counters = user == users.end() ? nullptr : &*user});
    }
  }
}

}  // namespace

NodePools GatherPools(const SliceTracker& tracker, const match::NodeView& node,
                      const match::Rules& rules) {
  NodeFilter filter(node, rules);
  std::vector<Gathered> gathered;
  for (auto& [pool, slices] : SlicesByPool(tracker, node, filter)) {
    if (auto seen = Gather(*pool, std::move(slices))) gathered.push_back(*std::move(seen));
  }
  std::ranges::stable_sort(gathered, {},
                           [](const Gathered& one) { return one.pool.has_binding_conditions; });
  NodePools pools;
  pools.pools.reserve(gathered.size());
  for (Gathered& one : gathered) {
    pools.has_invalid = pools.has_invalid || one.pool.is_invalid;
    pools.has_counters = pools.has_counters || !one.pool.counter_users.empty();
    pools.pools.push_back(std::move(one.pool));
    TakeDevices(one, static_cast<std::uint32_t>(pools.pools.size() - 1), filter, pools);
  }
  if (!filter.parse_error().empty()) {
    pools.fault =
        "gather pool information: failed to perform node selection: failed to parse node "
        "selector: " +
        filter.parse_error();
  }
  return pools;
}

bool CanUseShared(const TrackedPool& pool, const match::NodeView& node, const match::Rules& rules) {
  NodeFilter filter(node, rules);
  return std::ranges::any_of(pool.slices, [&](const TrackedSlice* slice) {
    if (slice->view->nodes.node_name) return false;
    return !slice->view->shared_counters.empty() || filter.Fits(*slice->view) ||
           !filter.parse_error().empty();
  });
}

}  // namespace plimsoll::dra
