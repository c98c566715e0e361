#include "controller/pod_gc/pod_gc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "controller/server_for_test.h"

namespace plimsoll::controller {
namespace {

using Texts = std::vector<std::string>;
using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

class PodGcTest : public testing::Test {
 protected:
  explicit PodGcTest(std::size_t terminated_max = 2) : core_(metrics_, terminated_max) {
    server_.Put("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n");
    server_.Sync();
    server_.Settle();
  }

  void PutPod(std::string_view name, std::string_view phase, std::string_view node = "n1",
              std::string_view metadata = {}, std::string_view status = {}) {
    server_.Put("apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
                ", namespace: default" + std::string(metadata) + "}\nspec: {nodeName: '" +
                std::string(node) + "'}\nstatus: {phase: " + std::string(phase) +
                std::string(status) + "}\n");
    server_.Settle();
  }
  Texts Pods() {
    Texts names;
    for (const ObjectPtr& pod : server_.All("Pod")) names.emplace_back(pod->metadata().name);
    return names;
  }
  double Deletions(std::string_view reason) {
    const std::string line =
        "pod_gc_collector_force_delete_pods_total{namespace=\"default\","
        "reason=\"" +
        std::string(reason) + "\"} ";
    const std::string text = metrics_.Text();
    const std::size_t at = text.find(line);
    return at == std::string::npos ? 0 : std::stod(text.substr(at + line.size()));
  }

  MetricsRegistry metrics_;
  PodGc core_;
  ServerForTest<PodGc> server_{core_, kNoon};
};

// A finalizer keeps the deleted pod visible.
constexpr std::string_view kTerminating =
    ", deletionTimestamp: '2026-03-01T12:00:00Z', finalizers: [x/y]";

TEST_F(PodGcTest, OfPodsThatEndedTheOldestGoAndEvictedOnesBefore) {
  PutPod("b", "Succeeded", "n1", ", creationTimestamp: '2026-03-01T10:00:00Z'");
  PutPod("a", "Succeeded", "n1", ", creationTimestamp: '2026-03-01T10:00:00Z'");
  PutPod("newest", "Failed", "n1", ", creationTimestamp: '2026-03-01T11:00:00Z'");
  PutPod("evicted", "Failed", "n1", ", creationTimestamp: '2026-03-01T11:30:00Z'",
         ", reason: Evicted");
  PutPod("running", "Running", "n1", ", creationTimestamp: '2026-03-01T09:00:00Z'");
  EXPECT_EQ(Pods().size(), 5u);  // not before the next pass
  server_.RunFor(20s);
  EXPECT_EQ(Pods(), (Texts{"b", "newest", "running"}));
  EXPECT_EQ(Deletions("terminated"), 2);
}

class KeepAllTest : public PodGcTest {
 protected:
  KeepAllTest() : PodGcTest(0) {}
};

TEST_F(KeepAllTest, WithoutAThresholdTheyStay) {
  for (const std::string_view name : {"a", "b", "c"}) PutPod(name, "Succeeded");
  server_.RunFor(10min);
  EXPECT_EQ(Pods().size(), 3u);
}

TEST_F(PodGcTest, PodsOfANodeThatIsGoneGoAfterAWhile) {
  PutPod("p", "Running", "n1", ", generation: 3");
  PutPod("done", "Succeeded");
  server_.RunFor(1min);
  server_.Delete("Node", {}, "n1");
  server_.RunFor(39s);
  EXPECT_EQ(Pods().size(), 2u);
  server_.RunFor(20s);
  EXPECT_EQ(Pods(), Texts());
  EXPECT_EQ(Deletions("orphaned"), 2);
}

TEST_F(PodGcTest, AnOrphanFailsBeforeItGoes) {
  PutPod("p", "Running", "gone", ", generation: 3, finalizers: [x/y]");
  server_.RunFor(1min);
  const ObjectPtr pod = server_.Find("Pod", "default", "p");
  ASSERT_NE(pod, nullptr);
  EXPECT_EQ(pod->As<api::Pod>()->status.phase, "Failed");
  EXPECT_FALSE(pod->metadata().deletion_timestamp.empty());
  const std::string text = codec::WriteJson(pod->tree());
  EXPECT_NE(text.find(R"("type":"DisruptionTarget","status":"True","reason":"DeletionByPodGC",)"
                      R"("message":"PodGC: node no longer exists",)"
                      R"("lastTransitionTime":"2026-03-01T12:00:40Z","observedGeneration":3)"),
            std::string::npos)
      << text;
}

TEST_F(PodGcTest, ANodeThatComesBackKeepsItsPods) {
  PutPod("p", "Running");
  PutPod("q", "Running", "late");  // its node is not known yet
  server_.Delete("Node", {}, "n1");
  server_.RunFor(35s);
  server_.Put("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n");
  server_.Put("apiVersion: v1\nkind: Node\nmetadata: {name: late}\n");
  server_.RunFor(10min);
  EXPECT_EQ(Pods(), (Texts{"p", "q"}));
}

TEST_F(PodGcTest, TerminatingPodsWithoutNodeGo) {
  PutPod("p", "Pending", "", kTerminating);
  PutPod("q", "Pending", "");
  PutPod("r", "Running", "n1", kTerminating);
  server_.RunFor(20s);
  EXPECT_EQ(Deletions("unscheduled"), 1);
  EXPECT_EQ(server_.Find("Pod", "default", "p")->As<api::Pod>()->status.phase, "Failed");
  EXPECT_EQ(server_.Find("Pod", "default", "q")->As<api::Pod>()->status.phase, "Pending");
  EXPECT_EQ(server_.Find("Pod", "default", "r")->As<api::Pod>()->status.phase, "Running");
}

TEST_F(PodGcTest, TerminatingPodsOnANodeOutOfServiceGo) {
  PutPod("p", "Running", "n1", kTerminating);
  PutPod("q", "Running");
  const auto put_node = [&](std::string_view ready, std::string_view taints) {
    server_.Put("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {taints: [" +
                std::string(taints) + "]}\nstatus: {conditions: [{type: Ready, status: '" +
                std::string(ready) + "'}]}\n");
    server_.RunFor(20s);
  };
  constexpr std::string_view kTaint = "{key: node.kubernetes.io/out-of-service, effect: NoExecute}";
  put_node("True", kTaint);
  put_node("Unknown", "");
  EXPECT_EQ(Deletions("out-of-service"), 0);
  put_node("Unknown", kTaint);
  EXPECT_EQ(Deletions("out-of-service"), 1);
  EXPECT_EQ(server_.Find("Pod", "default", "p")->As<api::Pod>()->status.phase, "Failed");
  EXPECT_EQ(server_.Find("Pod", "default", "q")->As<api::Pod>()->status.phase, "Running");
}

TEST_F(PodGcTest, WhatFailsIsTriedWithTheNextLook) {
  PutPod("p", "Running", "gone");
  server_.FailNext(1);
  server_.RunFor(50s);
  EXPECT_EQ(Pods(), Texts{"p"});
  EXPECT_NE(metrics_.Text().find("pod_gc_collector_force_delete_pod_errors_total{namespace="
                                 "\"default\",reason=\"orphaned\"} 1\n"),
            std::string::npos);
  server_.RunFor(20s);
  EXPECT_EQ(Pods(), Texts());
}

TEST_F(PodGcTest, NothingIsMissingBeforeEverythingIsTold) {
  PutPod("p", "Running");
  MetricsRegistry metrics;
  PodGc second(metrics);
  ServerForTest<PodGc> taken_over(second, kNoon);
  taken_over.Put(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec: "
      "{nodeName: n1}\nstatus: {phase: Running}\n");
  taken_over.RunFor(10min);
  EXPECT_EQ(second.NextWake(), std::nullopt);
  taken_over.Sync();
  taken_over.RunFor(39s);
  EXPECT_EQ(taken_over.All("Pod").size(), 1u);
  taken_over.RunFor(1s);
  EXPECT_EQ(taken_over.All("Pod").size(), 0u);
}

}  // namespace
}  // namespace plimsoll::controller
