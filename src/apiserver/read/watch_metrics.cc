#include "apiserver/read/watch_metrics.h"

namespace plimsoll::apiserver {

WatchMetrics::WatchMetrics(MetricsRegistry& registry)
    : events_(registry.AddCounters({"apiserver_watch_events_total",
                                    "Number of events sent in watch clients",
                                    {"group", "resource", "version"}})),
      sizes_(registry.AddHistograms({"apiserver_watch_events_sizes",
                                     "Watch event size distribution in bytes",
                                     {"group", "resource", "version"}},
                                    ExponentialBuckets(1024, 2, 8))),
      terminated_(registry.AddCounters(
          {"apiserver_terminated_watchers_total",
           "Counter of watchers closed due to unresponsiveness broken by resource type.",
           {"group", "resource"}})) {}

WatchCounters WatchMetrics::Of(const Resource& resource) const {
  const std::string_view version = resource.kind->version;
  return {events_.With({resource.group(), resource.name(), version}),
          sizes_.With({resource.group(), resource.name(), version}),
          terminated_.With({resource.group(), resource.name()})};
}

}  // namespace plimsoll::apiserver
