#pragma once

#include <functional>
#include <string>
#include <utility>

#include "scheduler/framework/framework.h"

/// For tests: a plugin with configurable results.
namespace plimsoll::scheduler {

class FakePlugin : public Plugin {
 public:
  FakePlugin(ClusterState& cluster, std::string name, ExtensionPoints points)
      : Plugin(cluster), name_(std::move(name)), points_(points) {}

  std::string_view name() const override { return name_; }
  ExtensionPoints points() const override { return points_; }
  Scope filter_scope() const override { return scope; }
  Scope score_scope() const override { return scope; }
  Changes depends_on() const override { return changes; }
  std::uint64_t SharedVersion() const override { return version; }
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
  PreScoreOutcome PreScore(const PodUnderTest& /*pod*/, const PluginState* /*filter_state*/,
                           const Bitmap& feasible) override {
    return pre_score ? pre_score(feasible) : PreScoreOutcome();
  }
  std::int64_t ScoreOf(const PluginState* /*state*/, const NodeView& node) const override {
    ++scored;
    return score ? score(node) : 0;
  }

  Scope scope = Scope::Cluster;
  Changes changes = kAnyChange;
  std::uint64_t version = 0;
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
  ExtensionPoints points_;
};

}  // namespace plimsoll::scheduler
