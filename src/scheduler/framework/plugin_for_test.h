#pragma once

#include <functional>
#include <string>
#include <utility>

#include "scheduler/framework/framework.h"

/// For tests: a plugin with configurable results.
namespace plimsoll::scheduler {

/// Returns a base of the plugin. REQUIRES: it has the base.
template <class Base>
Base& As(Plugin& plugin) {
  return dynamic_cast<Base&>(plugin);
}

/// Implements all extension points up to Score; a profile enables some of them.
class FakePlugin : public Plugin,
                   public PreEnqueuePlugin,
                   public PreFilterPlugin,
                   public FilterPlugin,
                   public PreScorePlugin,
                   public ScorePlugin {
 public:
  FakePlugin(ClusterState& cluster, std::string name) : Plugin(cluster), name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  Normalization normalization() const override { return normalize; }

  Verdict PreEnqueue(const api::Object& pod) const override {
    return pre_enqueue ? pre_enqueue(pod) : Verdict();
  }
  PreFilterOutcome PreFilter(const PodUnderTest& pod) override {
    ++pre_filters;
    return pre_filter ? pre_filter(pod) : PreFilterOutcome();
  }
  Verdict Judge(const PluginState* /*state*/, const NodeView& node) const override {
    ++judged;
    return judge ? judge(node) : Verdict();
  }
  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    FilterNodes(cluster_, nodes, [&](const NodeView& node) { return Accepts(state, node); });
    return {};
  }
  PreScoreOutcome PreScore(const PodClass& /*pod*/, const PluginState* /*filter_state*/,
                           const Bitmap& feasible) override {
    return pre_score ? pre_score(feasible) : PreScoreOutcome();
  }
  std::int64_t ScoreOf(const PluginState* /*state*/, const NodeView& node) const override {
    ++scored;
    return score ? score(node) : 0;
  }
  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override {
    ScoreNodes(cluster_, nodes, scores, [&](const NodeView& node) { return ScoreOf(state, node); });
  }

  Normalization normalize = Normalization::None;
  std::function<Verdict(const api::Object&)> pre_enqueue;
  std::function<PreFilterOutcome(const PodUnderTest&)> pre_filter;
  std::function<Verdict(const NodeView&)> judge;
  std::function<PreScoreOutcome(const Bitmap&)> pre_score;
  std::function<std::int64_t(const NodeView&)> score;
  int pre_filters = 0;
  mutable int judged = 0;
  mutable int scored = 0;

 private:
  std::string name_;
};

/// Same, with answers that are cached per class and node.
class NodeScopedFake final : public FakePlugin, public NodeScopedPlugin {
 public:
  using FakePlugin::FakePlugin;

  Changes depends_on() const override { return changes; }
  std::uint64_t SharedVersion() const override { return version; }

  Changes changes = kAnyChange;
  std::uint64_t version = 0;
};

}  // namespace plimsoll::scheduler
