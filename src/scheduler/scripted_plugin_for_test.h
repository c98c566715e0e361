#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/framework/framework.h"
#include "scheduler/framework/waiting_pods.h"

/// For tests: a plugin whose methods the test scripts. A profile enables some of its extension
/// points.
namespace plimsoll::scheduler {

class ScriptedPlugin final : public Plugin,
                             public PreEnqueuePlugin,
                             public ClassEnqueueExtensions,
                             public FilterPlugin,
                             public PostFilterPlugin,
                             public ReservePlugin,
                             public PermitPlugin,
                             public PreBindPlugin,
                             public BindPlugin,
                             public PostBindPlugin {
 public:
  ScriptedPlugin(ClusterState& cluster, std::string name)
      : Plugin(cluster), name_(std::move(name)) {}

  std::string_view name() const override { return name_; }

  Verdict PreEnqueue(const api::Object& pod) const override {
    return pre_enqueue ? pre_enqueue(pod) : Verdict();
  }
  std::vector<EventInterest> Interests() const override { return interests; }
  Hint HintForClass(const PodClass& pod, const ClusterEvent& event) const override {
    ++hints_asked;
    return hint ? hint(pod, event) : Hint::Queue;
  }
  Verdict Judge(const PluginState* /*state*/, const NodeView& node) const override {
    ++judged;
    return judge ? judge(node) : Verdict();
  }
  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    FilterNodes(cluster_, nodes, [&](const NodeView& node) { return Accepts(state, node); });
    return {};
  }
  PostFilterOutcome PostFilter(Framework& /*framework*/, const Attempt& attempt,
                               const Diagnosis& /*diagnosis*/, Random& /*random*/) override {
    return post_filter ? post_filter(attempt.pod.id)
                       : PostFilterOutcome{.verdict = Verdict::Of(Code::Unschedulable, "no help")};
  }
  Verdict Reserve(const PodUnderTest& pod, const PluginState* /*state*/, NodeSlot node) override {
    return reserve ? reserve(pod.id, node) : Verdict();
  }
  std::vector<api::Write> Unreserve(const PodUnderTest& /*pod*/, NodeSlot /*node*/) override {
    ++unreserved;
    return unreserve ? unreserve() : std::vector<api::Write>();
  }
  PermitOutcome Permit(const PodUnderTest& pod, NodeSlot /*node*/, WaitingPods& waiting) override {
    return permit ? permit(pod.id, waiting) : PermitOutcome();
  }
  PreBindOutcome PreBind(const PodUnderTest& pod, NodeSlot /*node*/, Instant now) override {
    return pre_bind ? pre_bind(pod.id, now) : PreBindOutcome();
  }
  void PostBind(const PodUnderTest& pod, std::string_view node) override {
    bound.push_back(std::string(pod.pod.metadata.name) + "→" + std::string(node));
  }

  std::vector<EventInterest> interests;
  std::function<Verdict(const api::Object&)> pre_enqueue;
  std::function<Hint(const PodClass&, const ClusterEvent&)> hint;
  std::function<Verdict(const NodeView&)> judge;
  std::function<PostFilterOutcome(PodId)> post_filter;
  std::function<Verdict(PodId, NodeSlot)> reserve;
  std::function<std::vector<api::Write>()> unreserve;
  std::function<PermitOutcome(PodId, WaitingPods&)> permit;
  std::function<PreBindOutcome(PodId, Instant)> pre_bind;
  std::vector<std::string> bound;  // arguments of PostBind
  mutable int hints_asked = 0;
  mutable int judged = 0;
  int unreserved = 0;

 private:
  std::string name_;
};

}  // namespace plimsoll::scheduler
