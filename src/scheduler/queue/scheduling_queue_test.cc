#include "scheduler/queue/scheduling_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/limits.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/queue/event_label.h"
#include "scheduler/scripted_plugin_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr PluginSet kA = 1;
constexpr PluginSet kB = 2;
constexpr PluginSet kByName = 8;
constexpr Instant kStart{1'000'000s};

/// Its hints depend on the pod itself: new nodes help only `p1`.
class ByName final : public Plugin, public EnqueueExtensions {
 public:
  explicit ByName(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "ByName"; }
  std::vector<EventInterest> Interests() const override { return {{EventResource::Node, kAdd}}; }
  Hint HintFor(const PodRecord& pod, const ClusterEvent& /*event*/) const override {
    return pod.pod->metadata.name == "p1" ? Hint::Queue : Hint::Skip;
  }
};

/// A queue with plugins A (nodes), B (deleted pods), Gate (PreEnqueue by the pod itself) and
/// ByName.
class SchedulingQueueTest : public testing::Test {
 protected:
  SchedulingQueueTest() {
    a_ = Make("A", kFilter);
    b_ = Make("B", kFilter);
    gate_ = Make("Gate", kPreEnqueue);
    plugins_.push_back({std::make_unique<ByName>(cluster_), kFilter, 1});
    a_->interests = {{EventResource::Node, kAdd | kUpdateNodeTaint},
                     {EventResource::TargetPod, kUpdatePodToleration}};
    b_->interests = {{EventResource::AssignedPod, kDelete}};
    gate_->interests = {{EventResource::TargetPod, kUpdatePodGatesEliminated}};
    gate_->pre_enqueue = [](const api::Object& object) {
      const api::Pod& pod = *object.As<api::Pod>();
      return pod.spec.scheduling_gates.empty()
                 ? Verdict()
                 : Verdict::Of(Code::UnschedulableAndUnresolvable, "gated");
    };
    framework_ = std::make_unique<Framework>(cluster_, std::move(plugins_), FrameworkOptions{});
    metrics_ = std::make_unique<SchedulerMetrics>(
        registry_,
        std::vector<ProfileShape>{
            {"default-scheduler",
             {{"A", kFilter}, {"B", kFilter}, {"Gate", kPreEnqueue}, {"ByName", kFilter}}}});
    queue_ =
        std::make_unique<SchedulingQueue>(cluster_, std::vector<const Framework*>{framework_.get()},
                                          *metrics_, SchedulingQueue::Options{});
  }

  ScriptedPlugin* Make(std::string name, ExtensionPoints points) {
    auto plugin = std::make_unique<ScriptedPlugin>(cluster_, std::move(name));
    ScriptedPlugin* const made = plugin.get();
    plugins_.push_back({std::move(plugin), points, 1});
    return made;
  }

  PodId Add(std::string_view name, std::string_view spec = "{}") {
    const PodId id = cluster_.UpsertPod(PodFromYaml(name, spec));
    queue_->Add(id, 0, EventLabel(EventResource::TargetPod, kAdd), now_);
    return id;
  }
  /// Adds a pod, pops it and refuses it.
  PodId AddRefused(std::string_view name, PluginSet refused, PluginSet pending = 0) {
    const PodId id = Add(name);
    EXPECT_EQ(queue_->Pop(), id);
    queue_->AddUnschedulable(id, refused, pending, now_);
    return id;
  }
  void OnEvent(EventResource resource, EventActions action) {
    queue_->OnEvent(MakeEvent(resource, action, nullptr, nullptr), now_);
  }
  std::vector<std::size_t> Sizes() const {
    return {queue_->active(), queue_->backoff(), queue_->unschedulable(), queue_->gated()};
  }
  void Advance(Duration by) {
    now_ += by;
    queue_->Flush(now_);
  }

  using S = std::vector<std::size_t>;  // active, back-off, unschedulable, gated

  Instant now_ = kStart;
  ClusterState cluster_{match::Rules{}};
  MetricsRegistry registry_;
  std::vector<EnabledPlugin> plugins_;
  ScriptedPlugin* a_;
  ScriptedPlugin* b_;
  ScriptedPlugin* gate_;
  std::unique_ptr<Framework> framework_;
  std::unique_ptr<SchedulerMetrics> metrics_;
  std::unique_ptr<SchedulingQueue> queue_;
};

TEST_F(SchedulingQueueTest, ByPriorityThenByTime) {
  const PodId old_low = Add("old-low", "{priority: 1}");
  const PodId low = Add("low", "{priority: 1}");
  now_ += 1s;
  const PodId high = Add("high", "{priority: 5}");
  const PodId late = Add("late", "{priority: 1}");
  for (const PodId want : {high, old_low, low, late}) EXPECT_EQ(queue_->Pop(), want);
  EXPECT_EQ(queue_->Pop(), std::nullopt);
}

TEST_F(SchedulingQueueTest, ARefusedPodWaitsForWhatItsPluginsNeed) {
  AddRefused("p", kA);
  EXPECT_EQ(Sizes(), (S{0, 0, 1, 0}));
  OnEvent(EventResource::AssignedPod, kDelete);  // only B is interested
  OnEvent(EventResource::Node, kUpdateNodeLabel);
  EXPECT_EQ(Sizes(), (S{0, 0, 1, 0}));
  EXPECT_EQ(a_->hints_asked + b_->hints_asked, 0);
  a_->hint = [](const PodClass&, const ClusterEvent&) { return Hint::Skip; };
  OnEvent(EventResource::Node, kAdd);
  EXPECT_EQ(Sizes(), (S{0, 0, 1, 0}));
  EXPECT_EQ(a_->hints_asked, 1);
  a_->hint = nullptr;
  OnEvent(EventResource::Node, kAdd);
  EXPECT_EQ(Sizes(), (S{0, 1, 0, 0}));
}

TEST_F(SchedulingQueueTest, SaysWhatItWaitsFor) {
  EXPECT_EQ(queue_->Awaited(EventResource::Node), 0U);
  const PodId id = AddRefused("p", kA);
  EXPECT_EQ(queue_->Awaited(EventResource::Node), EventActions{kAdd | kUpdateNodeTaint});
  EXPECT_EQ(queue_->Awaited(EventResource::AssignedPod), 0U);
  queue_->Remove(id);
  EXPECT_EQ(queue_->Awaited(EventResource::Node), 0U);
}

TEST_F(SchedulingQueueTest, AfterItsBackoffItIsActiveAtOnce) {
  AddRefused("p", kA);
  now_ += 1s;
  OnEvent(EventResource::Node, kAdd);
  EXPECT_EQ(Sizes(), (S{1, 0, 0, 0}));
}

TEST_F(SchedulingQueueTest, ABackoffEndsWithAWholeSecond) {
  now_ += 700ms;
  AddRefused("p", kA);
  OnEvent(EventResource::Node, kAdd);
  EXPECT_EQ(Sizes(), (S{0, 1, 0, 0}));
  EXPECT_EQ(queue_->NextFlush(), kStart + 1s);
  Advance(299ms);
  EXPECT_EQ(Sizes(), (S{0, 1, 0, 0}));
  Advance(1ms);
  EXPECT_EQ(Sizes(), (S{1, 0, 0, 0}));
  EXPECT_THAT(registry_.Text(), HasSubstr("{event=\"BackoffComplete\",queue=\"active\"} 1"));
}

TEST_F(SchedulingQueueTest, ARefusedPodIsTriedEarlyWhenNobodyElseWantsToBe) {
  const PodId refused = AddRefused("p", kA);
  OnEvent(EventResource::Node, kAdd);
  const PodId fresh = Add("q");
  EXPECT_EQ(queue_->Pop(), fresh);
  EXPECT_TRUE(queue_->HasReady());
  EXPECT_EQ(queue_->Pop(), refused);
  EXPECT_EQ(queue_->attempts(refused), 2U);
  EXPECT_FALSE(queue_->HasReady());
  EXPECT_THAT(registry_.Text(), HasSubstr("{event=\"PopFromBackoffQ\",queue=\"active\"} 1"));
}

TEST_F(SchedulingQueueTest, AFailedAttemptWaitsItsTime) {
  const PodId id = Add("p");
  for (const Duration wait : {1s, 2s, 4s, 8s, 10s, 10s}) {
    ASSERT_EQ(queue_->Pop(), id);
    queue_->AddFailed(id, now_);
    EXPECT_EQ(Sizes(), (S{0, 1, 0, 0}));
    EXPECT_FALSE(queue_->HasReady());
    EXPECT_EQ(queue_->NextFlush(), now_ + wait);
    Advance(wait);
    EXPECT_EQ(Sizes(), (S{1, 0, 0, 0}));
  }
  // A refusal in between resets the count of failures.
  ASSERT_EQ(queue_->Pop(), id);
  queue_->AddUnschedulable(id, kA, 0, now_);
  OnEvent(EventResource::Node, kAdd);
  ASSERT_EQ(queue_->Pop(), id);
  queue_->AddFailed(id, now_);
  EXPECT_EQ(queue_->NextFlush(), now_ + 1s);
}

TEST_F(SchedulingQueueTest, WhatAPendingPluginWaitedForMovesThePodAtOnce) {
  AddRefused("p", kA, kB);
  OnEvent(EventResource::AssignedPod, kDelete);
  EXPECT_EQ(Sizes(), (S{1, 0, 0, 0}));
}

TEST_F(SchedulingQueueTest, AGatedPodWaitsForItsGate) {
  const PodId id = Add("p", "{schedulingGates: [{name: g}]}");
  EXPECT_EQ(Sizes(), (S{0, 0, 0, 1}));
  OnEvent(EventResource::Node, kAdd);
  EXPECT_EQ(queue_->Pop(), std::nullopt);
  EXPECT_THAT(registry_.Text(), HasSubstr("scheduler_unschedulable_pods{plugin=\"Gate\",profile="
                                          "\"default-scheduler\"} 1"));
  const ObjectPtr before = cluster_.pod(id).object;
  const ObjectPtr after = PodFromYaml("p", "{}");
  cluster_.UpsertPod(after);
  const ClusterEvent event =
      MakeEvent(EventResource::TargetPod, kUpdatePodGatesEliminated, before, after);
  queue_->Update(id, {&event, 1}, now_);
  EXPECT_EQ(Sizes(), (S{1, 0, 0, 0}));
  EXPECT_EQ(queue_->Pop(), id);
  EXPECT_THAT(registry_.Text(), HasSubstr("scheduler_unschedulable_pods{plugin=\"Gate\",profile="
                                          "\"default-scheduler\"} 0"));
}

TEST_F(SchedulingQueueTest, ItsOwnChangeMayHelpARefusedPod) {
  const PodId id = AddRefused("p", kA);
  const ObjectPtr before = cluster_.pod(id).object;
  const ObjectPtr after = PodFromYaml("p", "{tolerations: [{key: k, operator: Exists}]}");
  cluster_.UpsertPod(after);
  const ClusterEvent label = MakeEvent(EventResource::TargetPod, kUpdatePodLabel, before, after);
  queue_->Update(id, {&label, 1}, now_);
  EXPECT_EQ(Sizes(), (S{0, 0, 1, 0}));
  const ClusterEvent toleration =
      MakeEvent(EventResource::TargetPod, kUpdatePodToleration, before, after);
  queue_->Update(id, {&toleration, 1}, now_);
  EXPECT_EQ(Sizes(), (S{0, 1, 0, 0}));
}

TEST_F(SchedulingQueueTest, AfterFiveMinutesARefusedPodIsTriedAnyway) {
  const PodId id = AddRefused("p", kA);
  AddRefused("gated-later", kB);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(queue_->NextFlush(), now_ + 30s);
    Advance(30s);
  }
  EXPECT_EQ(Sizes(), (S{0, 0, 2, 0}));
  Advance(30s);
  EXPECT_EQ(Sizes(), (S{2, 0, 0, 0}));
  EXPECT_TRUE(queue_->was_flushed(id));
  EXPECT_EQ(queue_->NextFlush(), std::nullopt);
  EXPECT_THAT(registry_.Text(), HasSubstr("{event=\"UnschedulableTimeout\",queue=\"active\"} 2"));
}

TEST_F(SchedulingQueueTest, WhatHappensWhileAPodIsOutIsNotLost) {
  const PodId id = Add("p");
  queue_->Pop();
  queue_->Watch(id);
  OnEvent(EventResource::Node, kAdd);
  queue_->AddUnschedulable(id, kB, 0, now_);
  EXPECT_EQ(Sizes(), (S{0, 0, 1, 0}));  // B is not interested

  const PodId other = Add("q");
  queue_->Pop();
  queue_->Watch(other);
  OnEvent(EventResource::Node, kAdd);
  queue_->AddUnschedulable(other, kA, 0, now_);
  EXPECT_EQ(Sizes(), (S{0, 1, 1, 0}));
}

TEST_F(SchedulingQueueTest, WhatHappenedBeforeIsOfNoUse) {
  const PodId id = Add("p");
  queue_->Pop();
  OnEvent(EventResource::Node, kAdd);
  queue_->AddUnschedulable(id, kA, 0, now_);
  EXPECT_EQ(Sizes(), (S{0, 0, 1, 0}));
}

TEST_F(SchedulingQueueTest, HintsAreAskedOncePerClass) {
  for (int i = 0; i < 50; ++i) AddRefused("p" + std::to_string(i), kA);
  OnEvent(EventResource::Node, kAdd);
  EXPECT_EQ(a_->hints_asked, 1);
  EXPECT_EQ(Sizes(), (S{0, 50, 0, 0}));
}

TEST_F(SchedulingQueueTest, HintsThatDependOnThePodAreAskedForEachPod) {
  for (int i = 0; i < 3; ++i) AddRefused("p" + std::to_string(i), kByName);
  OnEvent(EventResource::Node, kAdd);
  EXPECT_EQ(Sizes(), (S{0, 1, 2, 0}));
}

TEST_F(SchedulingQueueTest, AHeldPodMovesWhenItIsReleased) {
  const PodId id = AddRefused("p", kA);
  queue_->Hold(id);
  OnEvent(EventResource::Node, kAdd);
  EXPECT_EQ(Sizes(), (S{0, 0, 1, 0}));
  queue_->Release(id, now_);
  EXPECT_EQ(Sizes(), (S{0, 1, 0, 0}));

  const PodId calm = AddRefused("q", kB);
  queue_->Hold(calm);
  queue_->Release(calm, now_);
  EXPECT_EQ(Sizes(), (S{0, 1, 1, 0}));
}

TEST_F(SchedulingQueueTest, ActivatingEndsEveryWait) {
  const PodId refused = AddRefused("p", kA);
  const PodId failed = Add("q");
  queue_->Pop();
  queue_->AddFailed(failed, now_);
  queue_->Activate(refused, now_);
  queue_->Activate(failed, now_);
  EXPECT_EQ(Sizes(), (S{2, 0, 0, 0}));
}

TEST_F(SchedulingQueueTest, OneCanBeLeftOut) {
  const PodId one = AddRefused("p", kA);
  AddRefused("q", kA);
  queue_->OnEvent(MakeEvent(EventResource::Node, kAdd, nullptr, nullptr), now_, one);
  EXPECT_EQ(Sizes(), (S{0, 1, 1, 0}));
}

TEST_F(SchedulingQueueTest, RemovesFromEveryPlace) {
  const PodId refused = AddRefused("r", kA);
  const PodId backing_off = AddRefused("b", kB);
  OnEvent(EventResource::AssignedPod, kDelete);
  const PodId failed = Add("f");
  queue_->Pop();
  queue_->AddFailed(failed, now_);
  const PodId gated = Add("g", "{schedulingGates: [{name: g}]}");
  const PodId active = Add("a");
  EXPECT_EQ(Sizes(), (S{1, 2, 1, 1}));
  for (const PodId id : {refused, backing_off, failed, gated, active}) {
    EXPECT_TRUE(queue_->Contains(id));
    queue_->Remove(id);
    queue_->Remove(id);
    EXPECT_FALSE(queue_->Contains(id));
  }
  EXPECT_EQ(Sizes(), (S{0, 0, 0, 0}));
  EXPECT_EQ(queue_->Pop(), std::nullopt);
  for (const std::string plugin : {"A", "B", "Gate"}) {
    EXPECT_THAT(registry_.Text(), HasSubstr("scheduler_unschedulable_pods{plugin=\"" + plugin +
                                            "\",profile=\"default-scheduler\"} 0"));
  }
}

TEST_F(SchedulingQueueTest, OnlySoManyPodsOvertakeOneThatWasPutOff) {
  const PodId slow = Add("slow");
  EXPECT_EQ(queue_->Pop(), slow);
  queue_->PutOff(slow);
  std::uint32_t overtaken = 0;
  for (; overtaken <= kPopsPastPutOffMax; ++overtaken) {
    const PodId other = Add("other");
    if (queue_->Pop() == slow) break;
    queue_->Remove(other);
  }
  EXPECT_EQ(overtaken, kPopsPastPutOffMax);
}

}  // namespace
}  // namespace plimsoll::scheduler
