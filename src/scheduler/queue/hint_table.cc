#include "scheduler/queue/hint_table.h"

#include <bit>

#include "base/assert.h"
#include "scheduler/limits.h"

namespace plimsoll::scheduler {
namespace {

constexpr PluginSet Bit(std::size_t plugin) { return PluginSet{1} << plugin; }

}  // namespace

HintTable::HintTable(const Framework& framework, SchedulerMetrics& metrics)
    : framework_(framework), metrics_(metrics) {
  const std::vector<EnabledPlugin>& plugins = framework.plugins();
  PL_ASSERT(plugins.size() <= kProfilePluginsMax);
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    const auto* const extensions = dynamic_cast<const EnqueueExtensions*>(plugins[i].plugin.get());
    extensions_.push_back(extensions);
    if (extensions == nullptr) continue;
    if (dynamic_cast<const ClassEnqueueExtensions*>(extensions) == nullptr) individual_ |= Bit(i);
    for (const EventInterest& interest : extensions->Interests()) {
      entries_[static_cast<std::size_t>(interest.resource)].push_back({interest.actions, Bit(i)});
    }
  }
}

PluginSet HintTable::Interested(const ClusterEvent& event) const {
  PluginSet interested = 0;
  const auto add = [&](EventResource resource) {
    for (const Entry& entry : entries_[static_cast<std::size_t>(resource)]) {
      if ((entry.actions & event.actions) != 0) interested |= entry.plugin;
    }
  };
  add(event.resource);
  if (event.resource != EventResource::Any) add(EventResource::Any);
  return interested;
}

EventActions HintTable::Awaited(PluginSet plugins, EventResource resource) const {
  EventActions awaited = 0;
  for (const EventResource which : {resource, EventResource::Any}) {
    for (const Entry& entry : entries_[static_cast<std::size_t>(which)]) {
      if ((entry.plugin & plugins) != 0) awaited |= entry.actions;
    }
  }
  return awaited;
}

bool HintTable::AnyQueues(PluginSet plugins, const PodRecord& pod,
                          const ClusterEvent& event) const {
  for (; plugins != 0; plugins &= plugins - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(plugins));
    if (Queues(i, pod, event)) return true;
  }
  return false;
}

bool HintTable::Queues(std::size_t plugin, const PodRecord& pod, const ClusterEvent& event) const {
  const EnqueueExtensions& one = *extensions_[plugin];
  const auto& stopwatch = framework_.options().stopwatch;
  if (!stopwatch) return one.HintFor(pod, event) == Hint::Queue;
  const Duration start = stopwatch();
  const Hint hint = one.HintFor(pod, event);
  metrics_.HintGiven(framework_.plugins()[plugin].name(), event.label, hint, stopwatch() - start);
  return hint == Hint::Queue;
}

PluginSet HintTable::Named(const std::vector<std::string_view>& names) const {
  PluginSet named = 0;
  for (std::size_t i = 0; i < framework_.plugins().size(); ++i) {
    for (const std::string_view name : names) {
      if (framework_.plugins()[i].name() == name) named |= Bit(i);
    }
  }
  return named;
}

int HintTable::Gate(const api::Object& pod) const {
  for (const auto& [plugin, place, name] : framework_.At<PreEnqueuePlugin>()) {
    if (!plugin->PreEnqueue(pod).ok()) return place;
  }
  return -1;
}

}  // namespace plimsoll::scheduler
