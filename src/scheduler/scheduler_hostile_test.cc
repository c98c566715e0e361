// Malicious pods, and pods that the scheduler cannot handle. Other pods are still placed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/allocation_meter.h"
#include "match/costly_evaluator_for_test.h"
#include "scheduler/default_profile_for_test.h"
#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PoisonTest : public SchedulerHarness, public testing::Test {
 protected:
  /// Calls `fail` at the first Judge of a node.
  void ThrowOnce(std::function<void()> fail) {
    room_->judge = [judge = room_->judge, fail = std::move(fail),
                    has_failed = false](const NodeView& node) mutable {
      if (!std::exchange(has_failed, true)) fail();
      return judge(node);
    };
  }
};

TEST_F(PoisonTest, APodWhoseAttemptThrowsIsSetAsideUntilItChanges) {
  Deliver(Node("n1", 10));
  Sync();
  ThrowOnce([] { throw std::length_error("vector::reserve"); });
  Deliver(Pod("bad"));
  Deliver(Pod("good"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("good→n1"));
  EXPECT_THAT(TakeEvents(),
              Contains("FailedScheduling: the scheduler cannot process the pod and leaves it alone "
                       "until it changes: vector::reserve"));
  // Neither time nor a status update causes a retry.
  Advance(std::chrono::minutes(20));
  Deliver(Pod("bad", {}, {}, "{conditions: [{type: PodScheduled, status: 'False'}]}"));
  RunDue();
  EXPECT_THAT(TakeBinds(), IsEmpty());
  Deliver(Pod("bad", {}, "labels: {a: b}"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("bad→n1"));
}

TEST_F(PoisonTest, APodWhoseAttemptTakesTooMuchMemoryIsSetAside) {
  if (!CountsAllocations()) GTEST_SKIP() << "sanitizers have an operator new of their own";
  Deliver(Node("n1", 10));
  Sync();
  ThrowOnce([] {
    // The buffers are never written to, so the test needs no physical memory.
    std::vector<std::unique_ptr<char[]>> greed;
    while (greed.size() < 100) {
      greed.push_back(std::make_unique_for_overwrite<char[]>(std::size_t{1} << 28));
    }
  });
  Deliver(Pod("bad"));
  Deliver(Pod("good"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("good→n1"));
  EXPECT_THAT(TakeEvents(), Contains(HasSubstr("it takes too much memory")));
}

TEST_F(PoisonTest, AFailingPodThatIsDeletedIsForgotten) {
  Deliver(Node("n1", 10));
  Sync();
  ThrowOnce([] { throw std::runtime_error("broken"); });
  Deliver(Pod("bad"));
  RunDue();
  DeliverDeleted(Pod("bad"));
  Deliver(Pod("next"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("next→n1"));
}

class ExpressionBudgetTest : public testing::Test {
 protected:
  ExpressionBudgetTest() {
    SchedulerOptions options;
    options.profiles.push_back(
        {.name = "default-scheduler",
         .make_plugins = [](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }});
    options.rules.evaluator = &evaluator_;
    scheduler_ = std::make_unique<Scheduler>(std::move(options), metrics_);
    for (int i = 0; i < 3; ++i) {
      std::string taints;
      for (int t = 0; t < 10; ++t) {
        taints += "{key: t" + std::to_string(i) + "-" + std::to_string(t) +
                  ", value: v, effect: NoSchedule},";
      }
      Deliver(NodeFromYaml("n" + std::to_string(i), "{allocatable: {pods: '10'}}",
                           "{taints: [" + taints + "]}"));
    }
    scheduler_->Observe(Synced{}, {now_, out_});
    Wakes();
  }

  static ObjectPtr Pod(std::string_view name, std::string_view tolerations) {
    return PodFromYaml(name, "{schedulerName: default-scheduler, tolerations: [" +
                                 std::string(tolerations) + "]}");
  }
  void Deliver(const ObjectPtr& object) {
    scheduler_->Observe(ObjectChanged{nullptr, object}, {now_, out_});
  }
  bool Wake() {
    const auto next = scheduler_->NextWake();
    if (!next || *next > now_) return false;
    scheduler_->Wake({now_, out_});
    return true;
  }
  int Wakes() {
    int count = 0;
    while (Wake()) ++count;
    return count;
  }
  std::vector<std::string> Bound() {
    std::vector<std::string> names;
    for (const Action& action : std::exchange(out_, {})) {
      if (const auto* bind = std::get_if<BindPod>(&action)) names.emplace_back(bind->pod.name());
    }
    return names;
  }

  match::CostlyEvaluator evaluator_{1'000'000};  // the highest cost that an expression may have
  MetricsRegistry metrics_;
  Instant now_{std::chrono::seconds(1'000'000)};
  Actions out_;
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(ExpressionBudgetTest, OtherPodsGoBeforeOneWhoseExpressionsCostMuch) {
  Deliver(Pod("costly", "{expression: a}, {expression: b}, {expression: c}"));
  Deliver(Pod("other", "{operator: Exists}"));
  ASSERT_TRUE(Wake());
  EXPECT_THAT(Bound(), ElementsAre("other"));
  // The budget, one evaluation beyond it, and the short attempt while the other pod waited.
  EXPECT_LE(evaluator_.evaluations(), 12u);
  Deliver(Pod("another", "{operator: Exists}"));
  ASSERT_TRUE(Wake());
  EXPECT_THAT(Bound(), ElementsAre("another"));
}

TEST_F(ExpressionBudgetTest, EachExpressionIsEvaluatedOnceForEachDistinctTaint) {
  Deliver(Pod("costly", "{expression: a}, {expression: b}, {expression: c}"));
  EXPECT_GT(Wakes(), 8);
  EXPECT_THAT(Bound(), IsEmpty());
  std::vector<std::string> asked = evaluator_.evaluated();
  std::ranges::sort(asked);
  const std::size_t evaluations = asked.size();
  asked.erase(std::ranges::unique(asked).begin(), asked.end());
  // 30 node taints, and the taint of unschedulable nodes. The diagnosis may evaluate a few of them
  // again, within a budget of its own.
  EXPECT_EQ(asked.size(), 3u * 31);
  EXPECT_LE(evaluations, 3u * 31 + 2);
}

TEST_F(ExpressionBudgetTest, ACostlyPodIsPlacedInTheEnd) {
  Deliver(Pod("costly", "{expression: a}, {expression: b}, {expression: 'yes'}"));
  EXPECT_GT(Wakes(), 5);
  EXPECT_THAT(Bound(), ElementsAre("costly"));
}

TEST_F(ExpressionBudgetTest, APodThatIsDeletedWhileItIsPutOffIsGone) {
  const ObjectPtr pod = Pod("costly", "{expression: a}, {expression: 'yes'}");
  Deliver(pod);
  ASSERT_TRUE(Wake());
  scheduler_->Observe(ObjectChanged{pod, nullptr}, {now_, out_});
  Wakes();
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(scheduler_->pending().total(), 0u);
}

TEST_F(ExpressionBudgetTest, TaintsThatOthersCoverNeedNoEvaluation) {
  Deliver(Pod("cheap", "{expression: a}, {operator: Exists}"));
  Wakes();
  EXPECT_THAT(Bound(), ElementsAre("cheap"));
  EXPECT_THAT(evaluator_.evaluated(), IsEmpty());
}

/// A node with ten devices whose taints differ, and pods with claims.
class DeviceBudgetTest : public ExpressionBudgetTest {
 protected:
  DeviceBudgetTest() {
    Deliver(NodeFromYaml("gpu", "{allocatable: {pods: '10'}}"));
    std::string devices;
    for (int i = 0; i < 10; ++i) {
      const std::string number = std::to_string(i);
      devices += "{name: d" + number + ", taints: [{key: t" + number + ", effect: NoSchedule}]},";
    }
    Deliver(FromYaml(
        "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {}}"));
    Deliver(
        FromYaml("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, "
                 "spec: {driver: gpu.example.com, nodeName: gpu, pool: {name: p, "
                 "generation: 1, resourceSliceCount: 1}, devices: [" +
                 devices + "]}}"));
  }
  /// A pod that may only go to the node, and its claim.
  void TellPodWithClaim(const std::string& name, const std::string& tolerations) {
    Deliver(FromYaml(
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {namespace: default, "
        "name: " +
        name + ", uid: claim-" + name +
        "}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: "
        "ExactCount, count: 1, tolerations: [" +
        tolerations + "]}}]}}}"));
    Deliver(PodFromYaml(name,
                        "{schedulerName: default-scheduler, resourceClaims: [{name: c, "
                        "resourceClaimName: " +
                            name + "}]}"));
  }
};

TEST_F(DeviceBudgetTest, OtherPodsGoBeforeOneWhoseDeviceTolerationsCostMuch) {
  TellPodWithClaim("costly", "{expression: a}, {expression: b}, {expression: c}");
  Deliver(Pod("other", "{operator: Exists}"));
  ASSERT_TRUE(Wake());
  EXPECT_THAT(Bound(), ElementsAre("other"));
  EXPECT_GE(evaluator_.evaluations(), 10u);
  EXPECT_LE(evaluator_.evaluations(), 20u);
  EXPECT_GE(Wakes(), 1);
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(evaluator_.evaluations(), 30u) << "once for each expression and taint";
}

/// Each reading of the stopwatch advances it by 30 ms.
class AffinityBudgetTest : public ExpressionBudgetTest {
 protected:
  AffinityBudgetTest() {
    SchedulerOptions options;
    options.profiles.push_back(
        {.name = "default-scheduler",
         .make_plugins = [](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }});
    options.stopwatch = [this] { return elapsed_ += std::chrono::milliseconds(30); };
    scheduler_ = std::make_unique<Scheduler>(std::move(options), metrics_of_this_);
    for (int i = 0; i < 3; ++i) {
      const std::string name = "n" + std::to_string(i);
      Deliver(NodeFromYaml(name, "{allocatable: {pods: '10'}}", "{}", "labels: {zone: a}"));
    }
    scheduler_->Observe(Synced{}, {now_, out_});
    Wakes();
  }
  static ObjectPtr Costly(const std::string& name) {
    std::string terms;
    for (int i = 0; i < 20; ++i) {
      terms +=
          "{topologyKey: zone, labelSelector: {matchLabels: {app: a" + std::to_string(i) + "}}},";
    }
    return PodFromYaml(name,
                       "{schedulerName: default-scheduler, affinity: {podAntiAffinity: "
                       "{requiredDuringSchedulingIgnoredDuringExecution: [" +
                           terms + "]}}}");
  }

  MetricsRegistry metrics_of_this_;
  Duration elapsed_ = Duration::zero();
};

TEST_F(AffinityBudgetTest, OtherPodsGoBeforeOneWhoseAffinityCostsMuch) {
  Deliver(Costly("costly"));
  Deliver(Pod("other", ""));
  ASSERT_TRUE(Wake());
  EXPECT_THAT(Bound(), ElementsAre("other"));
  Deliver(Pod("another", ""));
  ASSERT_TRUE(Wake());
  EXPECT_THAT(Bound(), ElementsAre("another"));
  EXPECT_GT(Wakes(), 3);
  EXPECT_THAT(Bound(), ElementsAre("costly"));
}

TEST_F(AffinityBudgetTest, OtherPodsGoBeforeOneWhoseSpreadConstraintsCostMuch) {
  std::string labels;
  std::string constraints;
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    labels += "k" + number + ": a, ";
    constraints += "{maxSkew: 5, whenUnsatisfiable: " +
                   std::string(i % 2 == 0 ? "DoNotSchedule" : "ScheduleAnyway") +
                   ", topologyKey: k" + number +
                   ", labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: [x" +
                   number + "]}]}},";
  }
  Deliver(
      NodeFromYaml("n9", "{allocatable: {pods: '10'}}", "{}", "labels: {" + labels + "zone: a}"));
  Deliver(PodFromYaml("costly", "{schedulerName: default-scheduler, topologySpreadConstraints: [" +
                                    constraints + "]}"));
  Deliver(Pod("other", ""));
  ASSERT_TRUE(Wake());
  EXPECT_THAT(Bound(), ElementsAre("other"));
  Deliver(Pod("another", ""));
  ASSERT_TRUE(Wake());
  EXPECT_THAT(Bound(), ElementsAre("another"));
  EXPECT_GT(Wakes(), 3);
  EXPECT_THAT(Bound(), ElementsAre("costly"));
}

struct AffinityAttack {
  std::string name;
  std::string kind;
  bool has_own_topologies;
};

class AffinityMemoryTest : public ExpressionBudgetTest,
                           public testing::WithParamInterface<AffinityAttack> {};

/// The pod was stored before the limit existed, or comes from a stock API server.
TEST_P(AffinityMemoryTest, MemoryIsLinearInTheNumberOfTerms) {
  if (!CountsAllocations()) GTEST_SKIP() << "sanitizers have an operator new of their own";
  const auto allocated = [&](int count) {
    std::string terms;
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      terms += "{topologyKey: " + (GetParam().has_own_topologies ? "k" + number : "zone") +
               ", labelSelector: {matchLabels: {app: a" + number + "}}},";
    }
    const std::string affinity =
        "{schedulerName: default-scheduler, tolerations: [{operator: "
        "Exists}], affinity: {" +
        GetParam().kind + ": {requiredDuringSchedulingIgnoredDuringExecution: [" + terms + "]}}";
    const std::string name = "p" + std::to_string(count);
    const ObjectPtr pod = PodFromYaml(name, affinity + "}");
    const ObjectPtr running = PodFromYaml(name + "-running", affinity + ", nodeName: n1}");
    const std::uint64_t before = AllocatedBytes();
    Deliver(pod);
    Wakes();
    Deliver(running);
    Deliver(Pod(name + "-other", "{operator: Exists}"));
    Wakes();
    return AllocatedBytes() - before;
  };
  const std::uint64_t few = allocated(1000);
  const std::uint64_t many = allocated(2000);
  EXPECT_LT(static_cast<double>(many), 2.6 * static_cast<double>(few));
  EXPECT_LT(many, std::uint64_t{64} << 20);
}

INSTANTIATE_TEST_SUITE_P(
    All, AffinityMemoryTest,
    testing::ValuesIn<AffinityAttack>({{"Affinity", "podAffinity", false},
                                       {"AffinityOfManyTopologies", "podAffinity", true},
                                       {"AntiAffinity", "podAntiAffinity", false},
                                       {"AntiAffinityOfManyTopologies", "podAntiAffinity", true}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::scheduler
