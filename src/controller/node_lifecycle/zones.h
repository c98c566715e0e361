#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/string_map.h"
#include "base/metrics.h"
#include "base/time.h"

namespace plimsoll::controller {

/// Rates at which nodes of a zone get NoExecute taints; upstream's flags and defaults.
struct ZoneOptions {
  double node_eviction_rate = 0.1;             // nodes per second
  double secondary_node_eviction_rate = 0.01;  // in a large zone in partial disruption
  std::size_t large_cluster_size_threshold = 50;
  double unhealthy_zone_threshold = 0.55;
};

/// Returns upstream's key of the zone in the labels, or "" if they have none.
std::string ZoneKeyOf(const api::StringMap& labels);

/// Rate limiter without burst: accepts one, then one per period. Rate 0 accepts none.
class EvictionLimiter {
 public:
  explicit EvictionLimiter(double rate) : rate_(rate) {}

  bool TryAccept(Instant now);
  /// Sets the rate. If the limiter is not ready now, it waits one period of the new rate.
  void SetRate(double rate, Instant now);
  /// Returns the time of the next acceptance, or nothing if the rate is 0.
  std::optional<Instant> NextWake() const;

 private:
  Duration Period() const;

  double rate_;
  Instant next_ = Instant::min();
};

/// State of each zone, and a queue of its nodes to be tainted, at a rate per zone. So a failure of
/// a zone or of the network does not evict all its pods at once.
class Zones {
 public:
  using Id = std::uint32_t;
  using NodeId = std::uint32_t;
  enum class State : std::uint8_t { Initial, Normal, PartialDisruption, FullDisruption };
  enum class Change : std::uint8_t {
    None,
    EverythingDown,  // no zone has a ready node: tainting stops
    SomethingUp,     // the first update after that
  };

  Zones(const ZoneOptions& options, MetricsRegistry& metrics);

  /// Returns the id of the zone with this key; adds the zone if it is new.
  Id Find(const std::string& key);
  /// Adds to the zone's numbers of nodes; negative values subtract.
  void Count(Id zone, int ready, int unhealthy);
  /// Updates the states and rates from the counts.
  Change Update(Instant now);
  State state(Id zone) const { return zones_[zone].state; }
  /// Returns the result of the last Update.
  bool is_everything_down() const { return is_everything_down_; }

  /// Appends the node to the zone's queue, unless it is queued.
  void Enqueue(Id zone, NodeId node);
  void Remove(Id zone, NodeId node);
  /// Removes and returns the next node that may be tainted, and counts it as evicted.
  std::optional<NodeId> Pop(Instant now);
  /// Returns the earliest time at which Pop may succeed.
  std::optional<Instant> NextWake() const;

 private:
  struct Zone {
    std::string key;
    std::size_t ready = 0;
    std::size_t unhealthy = 0;
    State state = State::Initial;
    EvictionLimiter limiter;
    std::map<std::uint64_t, NodeId> queue;  // in order of arrival
    std::map<NodeId, std::uint64_t> places;
    Counter evictions;
    Gauge size_gauge;
    Gauge health_gauge;
    Gauge unhealthy_gauge;

    std::size_t size() const { return ready + unhealthy; }
  };

  State StateOf(const Zone& zone) const;
  double RateOf(const Zone& zone, State state) const;
  static void Report(Zone& zone);

  ZoneOptions options_;
  MetricFamily<Counter> evictions_;
  MetricFamily<Gauge> sizes_;
  MetricFamily<Gauge> healths_;
  MetricFamily<Gauge> unhealthy_;
  std::vector<Zone> zones_;
  std::map<std::string, Id, std::less<>> ids_;
  std::uint64_t next_place_ = 0;
  bool is_everything_down_ = false;
};

}  // namespace plimsoll::controller
