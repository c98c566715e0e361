#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/objects_for_test.h"
#include "scheduler/scheduler.h"
#include "scheduler/scripted_plugin_for_test.h"

/// For tests: a scheduler under virtual time, with scripted plugins.
namespace plimsoll::scheduler {

/// The plugin `Room` looks only at `allocatable: {pods: N}`: a node takes N pods.
class SchedulerHarness {
 protected:
  /// `make_plugins` replaces the default plugins, unless it is empty.
  explicit SchedulerHarness(
      std::function<std::vector<EnabledPlugin>(ClusterState&)> make_plugins = {})
      : make_plugins_(std::move(make_plugins)) {
    Start();
  }

  /// Replaces the scheduler by a new one without state, as after a restart.
  void Start() {
    scheduler_.reset();
    registry_ = std::make_unique<MetricsRegistry>();
    SchedulerOptions options;
    options.profiles.push_back(
        {.name = "default-scheduler",
         .make_plugins = [this](ClusterState& cluster) { return MakePlugins(cluster); }});
    options.cycles_max = cycles_max_;
    options.stopwatch = [this] { return elapsed_ += std::chrono::milliseconds(1); };
    scheduler_ = std::make_unique<Scheduler>(std::move(options), *registry_);
    out_.clear();
  }

  std::vector<EnabledPlugin> MakePlugins(ClusterState& cluster) {
    if (make_plugins_) return make_plugins_(cluster);
    std::vector<EnabledPlugin> plugins;
    const auto add = [&](std::string name, ExtensionPoints points) {
      auto plugin = std::make_unique<ScriptedPlugin>(cluster, std::move(name));
      ScriptedPlugin* const made = plugin.get();
      plugins.push_back({std::move(plugin), points, 1});
      return made;
    };
    room_ = add("Room", kFilter);
    room_->interests = {{EventResource::Node, kAdd | kUpdateNodeAllocatable},
                        {EventResource::AssignedPod, kDelete}};
    room_->judge = [](const NodeView& node) {
      return static_cast<std::int64_t>(node.row.pods.size()) < node.row.allocatable.pods
                 ? Verdict()
                 : Verdict::Of(Code::Unschedulable, "Too many pods");
    };
    volumes_ = add("Volumes", kReserve | kPreBind);
    gang_ = add("Gang", kReserve | kPermit | kPostBind);
    preemption_ = add("Preemption", kPostFilter);
    add("DefaultBinder", kBind);
    return plugins;
  }

  static ObjectPtr Pod(std::string_view name, std::string_view spec = {},
                       std::string_view metadata = {}, std::string_view status = "{}") {
    return PodFromYaml(name, "{schedulerName: default-scheduler, " + std::string(spec) + "}",
                       metadata, status);
  }
  static ObjectPtr PodOn(std::string_view name, std::string_view node,
                         std::string_view status = "{}") {
    return Pod(name, "nodeName: '" + std::string(node) + "'", {}, status);
  }
  static ObjectPtr Node(std::string_view name, int pods = 1, std::string_view more = {}) {
    return NodeFromYaml(
        name, "{allocatable: {pods: '" + std::to_string(pods) + "'}" + std::string(more) + "}");
  }

  /// Delivers an informer event. The old object is the one of the last Tell for this key.
  void Deliver(const ObjectPtr& object) {
    const std::string key = KeyOf(*object);
    const auto found = delivered_.find(key);
    const ObjectPtr before = found == delivered_.end() ? nullptr : found->second;
    delivered_[key] = object;
    scheduler_->Observe(ObjectChanged{before, object}, {now_, out_});
  }
  void DeliverDeleted(const ObjectPtr& object) {
    const auto found = delivered_.extract(KeyOf(*object));
    scheduler_->Observe(ObjectChanged{found.empty() ? object : found.mapped(), nullptr},
                        {now_, out_});
  }
  void Sync() { scheduler_->Observe(Synced{}, {now_, out_}); }
  void Finish(ActionId id, Status status = {}) {
    scheduler_->Observe(ActionFinished{id, std::move(status)}, {now_, out_});
  }

  /// Runs Wake until nothing is due.
  void RunDue() {
    while (true) {
      const std::optional<Instant> next = scheduler_->NextWake();
      if (!next || *next > now_) return;
      scheduler_->Wake({now_, out_});
    }
  }
  /// Advances the time, and wakes the scheduler whenever it asks for it.
  void Advance(Duration by) {
    const Instant end = now_ + by;
    for (std::optional<Instant> next = scheduler_->NextWake(); next && *next <= end;
         next = scheduler_->NextWake()) {
      now_ = std::max(now_, *next);
      scheduler_->Wake({now_, out_});
    }
    now_ = end;
  }

  /// Returns and removes the actions of one kind since the last call.
  template <class Kind>
  std::vector<Kind> Take() {
    std::vector<Kind> taken;
    std::erase_if(out_, [&](Action& action) {
      if (!std::holds_alternative<Kind>(action)) return false;
      taken.push_back(std::move(std::get<Kind>(action)));
      return true;
    });
    return taken;
  }
  /// Returns the bindings as `web→n1`, in order.
  std::vector<std::string> TakeBinds() {
    std::vector<std::string> binds;
    last_binds_ = Take<BindPod>();
    for (const BindPod& bind : last_binds_) {
      binds.push_back(std::string(bind.pod.name()) + "→" + bind.node);
    }
    return binds;
  }
  /// Returns the events as `reason: note`.
  std::vector<std::string> TakeEvents() {
    std::vector<std::string> events;
    for (const RecordEvent& event : Take<RecordEvent>()) {
      events.push_back(event.reason + ": " + event.message);
    }
    return events;
  }
  static std::string KeyOf(const api::Object& object) {
    return std::string(object.kind().kind) + "/" + std::string(object.metadata().namespace_) + "/" +
           std::string(object.metadata().name);
  }

  const std::function<std::vector<EnabledPlugin>(ClusterState&)> make_plugins_;
  Instant now_{std::chrono::seconds(1'000'000)};
  Duration elapsed_ = Duration::zero();  // advances by a millisecond with each reading
  std::size_t cycles_max_ = 1024;
  std::unique_ptr<MetricsRegistry> registry_;
  ScriptedPlugin* room_ = nullptr;
  ScriptedPlugin* volumes_ = nullptr;
  ScriptedPlugin* gang_ = nullptr;
  ScriptedPlugin* preemption_ = nullptr;
  std::unique_ptr<Scheduler> scheduler_;
  Actions out_;
  std::vector<BindPod> last_binds_;
  std::map<std::string, ObjectPtr> delivered_;
};

}  // namespace plimsoll::scheduler
