#include "controller/eviction_policy/eviction_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "controller/eviction_policy/policies_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

class EvictionGateTest : public testing::Test, protected PolicyWorld {};

TEST_F(EvictionGateTest, WithoutAPolicyPodsGoAtOnce) {
  Pods(20);
  Node("n1", TaintNow());
  EXPECT_EQ(Left(), 0u);
  EXPECT_EQ(server().writes(), 20u);
}

TEST_F(EvictionGateTest, APolicyForOtherTaintsPodsNamespacesAndNodesChangesNothing) {
  const char* const kOthers[] = {
      "taintKeys: [other, 'spot.example.com/*']", "pods: {matchLabels: {app: web}}",
      "namespaces: {matchLabels: {tier: prod}}", "nodes: {matchLabels: {pool: spot}}"};
  for (const char* const other : kOthers) {
    Policy("paused: true, selector: {" + std::string(other) + "}");
    Pods(3);
    Node("n1", TaintNow());
    EXPECT_EQ(Left(), 0u) << other;
    Node("n1", "");
  }
}

TEST_F(EvictionGateTest, ADeletedPolicyFreesItsPods) {
  Policy("paused: true");
  Pods(3);
  Node("n1", TaintNow());
  EXPECT_EQ(Left(), 3u);
  server().Delete("EvictionPolicy", "", "p");
  RunTo(1s);
  EXPECT_EQ(Left(), 0u);
}

TEST_F(EvictionGateTest, EvictionsAreRequestedAndWithdrawn) {
  Policy("via: EvictionRequest");
  Pods(1);
  const std::string uid(server().Find("Pod", "default", "p00")->metadata().uid);
  Node("n1", TaintNow());
  RunTo(1s);
  const auto intent = [&] {
    const ObjectPtr request = server().Find("EvictionRequest", "default", "plimsoll-" + uid);
    return request == nullptr ? std::string()
                              : std::string(TextAt(request->tree(), {"spec", "intent"}));
  };
  EXPECT_EQ(intent(), "Eviction");
  EXPECT_EQ(Left(), 1u);
  Node("n1", "");
  RunTo(2s);
  EXPECT_EQ(intent(), "Withdrawn");
  Node("n1", TaintNow());
  RunTo(3s);
  EXPECT_EQ(intent(), "Eviction");
}

TEST_F(EvictionGateTest, WithoutItsControllerPoliciesAreIgnored) {
  PoliciesForTest world(Noon(), "taint-eviction");
  world.Put(
      "apiVersion: plimsoll.io/v1alpha1\nkind: EvictionPolicy\nmetadata: {name: p}\n"
      "spec: {paused: true}\n");
  world.Put(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\n"
      "spec: {nodeName: n1}\n");
  world.Put(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
      "spec: {taints: [{key: a, effect: NoExecute}]}\n");
  EXPECT_EQ(world.server().All("Pod").size(), 0u);
}

}  // namespace
}  // namespace plimsoll::controller
