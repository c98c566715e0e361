#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "scheduler/framework/plugin_for_test.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/plugins/args.h"
#include "scheduler/plugins/registry.h"

/// For tests: one plugin with a cluster.
namespace plimsoll::scheduler {

class Stage {
 public:
  explicit Stage(std::string_view plugin, const PluginArgs& args = {},
                 const match::Rules& rules = {})
      : cluster_(rules), plugin_{.plugin = MakePlugin(plugin, cluster_, args)} {
    PL_ASSERT(plugin_.plugin != nullptr);
  }

  ClusterState& cluster() { return cluster_; }
  const EnabledPlugin& plugin() { return plugin_; }
  template <class Base>
  Base& plugin_as() {
    return As<Base>(*plugin_.plugin);
  }

  NodeSlot AddNode(std::string_view name, std::string_view status = "{}",
                   std::string_view spec = "{}", std::string_view metadata = {}) {
    return cluster_.UpsertNode(*NodeFromYaml(name, status, spec, metadata)->As<api::Node>());
  }
  PodId AddPod(std::string_view name, std::string_view spec) {
    return cluster_.UpsertPod(PodFromYaml(name, spec));
  }

  PreFilterOutcome PreFilter(std::string_view spec) {
    pod_ = PodFromYaml("asked", spec);
    class_ = cluster_.ClassOf(pod_);
    return plugin_.BeginFilter({kNoPod, *pod_->As<api::Pod>(), *class_});
  }

  /// Returns by node: empty, or the code and the reasons, `Unschedulable: a, b`. Asserts that the
  /// single-node and set forms agree. Empty if PreFilter does not succeed.
  std::map<std::string, std::string> Judge(std::string_view spec) {
    const PreFilterOutcome outcome = PreFilter(spec);
    std::map<std::string, std::string> answers;
    if (!outcome.verdict.ok()) return answers;
    Bitmap passed = cluster_.nodes();
    plugin_.filter->Filter(outcome.state.get(), passed);
    cluster_.nodes().ForEach([&](std::size_t i) {
      const NodeView node = cluster_.view(static_cast<NodeSlot>(i));
      const Verdict verdict = plugin_.filter->Judge(outcome.state.get(), node);
      PL_ASSERT(verdict.ok() == plugin_.filter->Accepts(outcome.state.get(), node));
      PL_ASSERT(verdict.ok() == passed.Test(i));
      answers[std::string(cluster_.node_name(node.slot))] = TextOf(verdict);
    });
    return answers;
  }

  /// Returns raw scores by node. Asserts that the forms agree. Empty if PreScore does not succeed.
  std::map<std::string, std::int64_t> Score(std::string_view spec) {
    pod_ = PodFromYaml("asked", spec);
    class_ = cluster_.ClassOf(pod_);
    const PreScoreOutcome outcome = plugin_.BeginScore(*class_, nullptr, cluster_.nodes());
    pre_score_ = TextOf(outcome.verdict);
    std::map<std::string, std::int64_t> answers;
    if (!outcome.verdict.ok()) return answers;
    std::vector<std::int64_t> scores(cluster_.slot_limit());
    plugin_.score->Score(outcome.state.get(), cluster_.nodes(), scores);
    cluster_.nodes().ForEach([&](std::size_t i) {
      const NodeView node = cluster_.view(static_cast<NodeSlot>(i));
      PL_ASSERT(scores[i] == plugin_.score->ScoreOf(outcome.state.get(), node));
      answers[std::string(cluster_.node_name(node.slot))] = scores[i];
    });
    return answers;
  }
  /// Last result of PreScore: empty, or the code and the reasons.
  const std::string& pre_score() const { return pre_score_; }

  /// Returns true if the event may help a pending pod with this spec.
  bool MayHelp(std::string_view spec, EventResource resource, EventActions actions,
               ObjectPtr old_object, ObjectPtr new_object) {
    const PodId id = AddPod("waiting", spec);
    const ClusterEvent event{resource, actions, {}, std::move(old_object), std::move(new_object)};
    return plugin_as<EnqueueExtensions>().HintFor(cluster_.pod(id), event) == Hint::Queue;
  }

  static std::string TextOf(const Verdict& verdict) {
    if (verdict.ok()) return {};
    return std::string(ToText(verdict.code)) + (verdict.reasons.empty() ? "" : ": ") +
           verdict.Message();
  }

 private:
  ClusterState cluster_;
  EnabledPlugin plugin_;
  ObjectPtr pod_;
  std::shared_ptr<const PodClass> class_;
  std::string pre_score_;
};

}  // namespace plimsoll::scheduler
