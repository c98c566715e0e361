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

/// How fast nodes of a zone are tainted with NoExecute; upstream's flags and their defaults.
struct ZoneOptions {
  double node_eviction_rate = 0.1;             // nodes a second
  double secondary_node_eviction_rate = 0.01;  // in a large zone of which much is down
  std::size_t large_cluster_size_threshold = 50;
  double unhealthy_zone_threshold = 0.55;
};

/// The zone that labels name, as upstream keys it. Empty when they name none.
std::string ZoneKeyOf(const api::StringMap& labels);

/// Lets one through, and then one more after each period. No rate: none.
class EvictionLimiter {
 public:
  explicit EvictionLimiter(double rate) : rate_(rate) {}

  bool TryAccept(Instant now);
  /// One that has just refused goes on refusing at the new rate.
  void SetRate(double rate, Instant now);
  /// When it will accept; nothing for never.
  std::optional<Instant> NextWake() const;

 private:
  Duration Period() const;

  double rate_;
  Instant next_ = Instant::min();
};

/// How the zones fare, and the nodes in them that are to be tainted, each zone at its own rate: so
/// that a failure of a zone or of the network does not chase all pods out of it at once.
class Zones {
 public:
  using Id = std::uint32_t;
  using NodeId = std::uint32_t;
  enum class State : std::uint8_t { Initial, Normal, PartialDisruption, FullDisruption };
  enum class Change : std::uint8_t {
    None,
    EverythingDown,  // no zone has a node that is ready: nothing is tainted any more
    SomethingUp,     // after that
  };

  Zones(const ZoneOptions& options, MetricsRegistry& metrics);

  /// The zone of that key, which may be new.
  Id Find(const std::string& key);
  /// So many more nodes, or fewer.
  void Count(Id zone, int ready, int unhealthy);
  /// Looks at the counts, and sets the rates.
  Change Update(Instant now);
  State state(Id zone) const { return zones_[zone].state; }
  /// As the last look had it.
  bool is_everything_down() const { return is_everything_down_; }

  /// The node waits to be tainted, behind those that do already.
  void Enqueue(Id zone, NodeId node);
  void Remove(Id zone, NodeId node);
  /// The next node whose turn it is; it no longer waits, and counts as tainted.
  std::optional<NodeId> Take(Instant now);
  /// When there may be one.
  std::optional<Instant> NextWake() const;

 private:
  struct Zone {
    std::string key;
    std::size_t ready = 0;
    std::size_t unhealthy = 0;
    State state = State::Initial;
    EvictionLimiter limiter;
    std::map<std::uint64_t, NodeId> queue;  // by when they came
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
