#include "controller/node_lifecycle/zones.h"

#include <cmath>

#include "base/assert.h"

namespace plimsoll::controller {

std::string ZoneKeyOf(const api::StringMap& labels) {
  const auto read = [&](std::string_view key, std::string_view old_key) {
    const std::optional<std::string_view> value = labels.Find(key);
    return std::string(value ? *value : labels.Find(old_key).value_or(std::string_view()));
  };
  const std::string region =
      read("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region");
  const std::string zone =
      read("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone");
  if (region.empty() && zone.empty()) return {};
  constexpr std::string_view kBetween(":\0:", 3);  // cannot occur in a label
  return region + std::string(kBetween) + zone;
}

Duration EvictionLimiter::Period() const { return Duration(std::llround(1e9 / rate_)); }

bool EvictionLimiter::TryAccept(Instant now) {
  if (rate_ <= 0 || now < next_) return false;
  next_ = now + Period();
  return true;
}

void EvictionLimiter::SetRate(double rate, Instant now) {
  if (rate == rate_) return;
  const bool is_free = TryAccept(now);
  rate_ = rate;
  next_ = is_free || rate_ <= 0 ? Instant::min() : now + Period();
}

std::optional<Instant> EvictionLimiter::NextWake() const {
  return rate_ <= 0 ? std::nullopt : std::optional(next_);
}

Zones::Zones(const ZoneOptions& options, MetricsRegistry& metrics)
    : options_(options),
      evictions_(metrics.AddCounters(
          {.name = "node_collector_evictions_total",
           .help = "Number of Node evictions that happened since current instance of "
                   "NodeController started.",
           .labels = {"zone"},
           .stability = Stability::Stable})),
      sizes_(metrics.AddGauges({.name = "node_collector_zone_size",
                                .help = "Gauge measuring number of registered Nodes per zones.",
                                .labels = {"zone"}})),
      healths_(metrics.AddGauges({.name = "node_collector_zone_health",
                                  .help = "Gauge measuring percentage of healthy nodes per zone.",
                                  .labels = {"zone"}})),
      unhealthy_(metrics.AddGauges({.name = "node_collector_unhealthy_nodes_in_zone",
                                    .help = "Gauge measuring number of not Ready Nodes per zones.",
                                    .labels = {"zone"}})) {}

Zones::Id Zones::Find(const std::string& key) {
  const auto [at, is_new] = ids_.try_emplace(key, static_cast<Id>(zones_.size()));
  if (is_new) {
    zones_.push_back({.key = key,
                      .limiter = EvictionLimiter(options_.node_eviction_rate),
                      .queue = {},
                      .places = {},
                      .evictions = evictions_.With({key}),
                      .size_gauge = sizes_.With({key}),
                      .health_gauge = healths_.With({key}),
                      .unhealthy_gauge = unhealthy_.With({key})});
  }
  return at->second;
}

void Zones::Count(Id zone, int ready, int unhealthy) {
  Zone& it = zones_[zone];
  it.ready += static_cast<std::size_t>(ready);
  it.unhealthy += static_cast<std::size_t>(unhealthy);
}

Zones::State Zones::StateOf(const Zone& zone) const {
  if (zone.ready == 0 && zone.unhealthy > 0) return State::FullDisruption;
  const double part = static_cast<double>(zone.unhealthy) / static_cast<double>(zone.size());
  const bool is_partial = zone.unhealthy > 2 && part >= options_.unhealthy_zone_threshold;
  return is_partial ? State::PartialDisruption : State::Normal;
}

/// A zone that is down while others are up has more likely failed than lost its network.
double Zones::RateOf(const Zone& zone, State state) const {
  if (state != State::PartialDisruption) return options_.node_eviction_rate;
  return zone.size() > options_.large_cluster_size_threshold ? options_.secondary_node_eviction_rate
                                                             : 0;
}

void Zones::Report(Zone& zone) {
  const auto size = static_cast<double>(zone.size());
  zone.size_gauge.Set(size);
  zone.health_gauge.Set(zone.size() == 0 ? 100 : 100 * static_cast<double>(zone.ready) / size);
  zone.unhealthy_gauge.Set(static_cast<double>(zone.unhealthy));
}

Zones::Change Zones::Update(Instant now) {
  bool is_all_down = true;
  bool was_all_down = true;
  bool has_nodes = false;
  for (Zone& zone : zones_) {
    Report(zone);
    if (zone.size() == 0) {
      zone.state = State::Initial;
      continue;
    }
    has_nodes = true;
    is_all_down &= StateOf(zone) == State::FullDisruption;
    was_all_down &= zone.state == State::FullDisruption;
  }
  is_everything_down_ = has_nodes && is_all_down;
  if (!has_nodes || (is_all_down && was_all_down)) return Change::None;
  for (Zone& zone : zones_) {
    if (zone.size() == 0) continue;
    const State state = StateOf(zone);
    if (state == zone.state && is_all_down == was_all_down) continue;
    zone.state = state;
    zone.limiter.SetRate(is_all_down ? 0 : RateOf(zone, state), now);
  }
  if (is_all_down) return Change::EverythingDown;
  return was_all_down ? Change::SomethingUp : Change::None;
}

void Zones::Enqueue(Id zone, NodeId node) {
  const auto [at, is_new] = zones_[zone].places.try_emplace(node, next_place_);
  if (is_new) zones_[zone].queue.emplace(next_place_++, node);
}

void Zones::Remove(Id zone, NodeId node) {
  const auto at = zones_[zone].places.find(node);
  if (at == zones_[zone].places.end()) return;
  zones_[zone].queue.erase(at->second);
  zones_[zone].places.erase(at);
}

std::optional<Zones::NodeId> Zones::Pop(Instant now) {
  for (Zone& zone : zones_) {
    if (zone.queue.empty() || !zone.limiter.TryAccept(now)) continue;
    const NodeId node = zone.queue.begin()->second;
    zone.places.erase(node);
    zone.queue.erase(zone.queue.begin());
    zone.evictions.Add();
    return node;
  }
  return std::nullopt;
}

std::optional<Instant> Zones::NextWake() const {
  std::optional<Instant> first;
  for (const Zone& zone : zones_) {
    if (zone.queue.empty()) continue;
    const std::optional<Instant> next = zone.limiter.NextWake();
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

}  // namespace plimsoll::controller
