#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/action.h"
#include "scheduler/attempt_metrics.h"
#include "scheduler/failure/failure_handler.h"
#include "scheduler/failure/refusal_cache.h"
#include "scheduler/framework/waiting_pods.h"
#include "scheduler/inflight_actions.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/scripted_plugin_for_test.h"

/// For tests of one part of the scheduler core: the parts that it needs, and a scripted plugin.
namespace plimsoll::scheduler {

class SchedulerParts {
 protected:
  /// The pod enters the queue, and is popped if nothing is before it.
  PodId AddPod(std::string_view name, std::string_view spec = "{}", std::string_view status = "{}",
               std::string_view metadata = {}) {
    const PodId id = cluster_.UpsertPod(PodFromYaml(name, spec, metadata, status));
    queue_.Add(id, 0, "Add", now_);
    EXPECT_EQ(queue_.Pop(), id);
    return id;
  }
  NodeSlot AddNode(std::string_view name) {
    return cluster_.UpsertNode(*NodeFromYaml(name)->As<api::Node>());
  }

  api::Turn turn() { return {now_, out_}; }

  /// Returns and removes the actions of one kind since the last call.
  template <class Kind>
  std::vector<Kind> Take() {
    std::vector<Kind> taken;
    std::erase_if(out_, [&](api::Action& action) {
      if (!std::holds_alternative<Kind>(action)) return false;
      taken.push_back(std::move(std::get<Kind>(action)));
      return true;
    });
    return taken;
  }
  bool HasMetric(std::string_view line) {
    metrics_.Flush();
    attempt_metrics_.Flush();
    return registry_.Text().contains(line);
  }

  /// A diagnosis that names the plugin.
  static RefusalCache::Shared RefusedBy(std::string_view plugin) {
    Diagnosis diagnosis;
    diagnosis.node_count = 1;
    Verdict verdict = Verdict::Of(Code::Unschedulable, "no room");
    verdict.plugin = plugin;
    diagnosis.refusals.push_back({.verdict = std::move(verdict), .nodes = 1, .which = {}});
    diagnosis.unschedulable_plugins.push_back(plugin);
    return std::make_shared<const Diagnosis>(std::move(diagnosis));
  }

  static constexpr ExtensionPoints kPoints =
      kFilter | kReserve | kPermit | kPreBind | kBind | kPostBind;

  Instant now_{std::chrono::seconds(1'000'000)};
  Duration elapsed_ = Duration::zero();  // advances by a millisecond with each reading
  api::Actions out_;
  const Stopwatch stopwatch_{[this] { return elapsed_ += std::chrono::milliseconds(1); }};
  MetricsRegistry registry_;
  ClusterState cluster_{{}};
  WaitingPods waiting_;
  ScriptedPlugin* plugin_ = nullptr;  // owned by the profile
  Profiles profiles_ = MakeProfiles();
  SchedulerMetrics metrics_{registry_, {{"default-scheduler", {{"Scripted", kPoints}}}}};
  SchedulingQueue queue_{cluster_, {profiles_[0].get()}, metrics_, SchedulingQueue::Options{}};
  InflightActions inflight_{metrics_, stopwatch_};
  AttemptMetrics attempt_metrics_{profiles_, metrics_};
  RefusalCache refusals_{cluster_};
  FailureHandler failures_{cluster_,  profiles_,        queue_,   inflight_,
                           refusals_, attempt_metrics_, metrics_, stopwatch_};

 private:
  Profiles MakeProfiles() {
    auto plugin = std::make_unique<ScriptedPlugin>(cluster_, "Scripted");
    plugin_ = plugin.get();
    plugin_->interests = {{EventResource::AssignedPod, kDelete}};
    std::vector<EnabledPlugin> plugins;
    plugins.push_back({std::move(plugin), kPoints, 1});
    Profiles profiles;
    profiles.push_back(
        std::make_unique<Framework>(cluster_, std::move(plugins), FrameworkOptions{}));
    return profiles;
  }
};

}  // namespace plimsoll::scheduler
