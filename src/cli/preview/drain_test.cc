#include "cli/preview/drain.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "cli/preview/drain_plan.h"
#include "cli/run_for_test.h"
#include "client/fake_server_for_test.h"
#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

using namespace std::chrono_literals;
using controller::Decode;

ObjectPtr PodWith(const std::string& name, const std::string& owner, const std::string& spec = "",
                  const std::string& metadata = "") {
  const std::string owners = owner.empty()
                                 ? ""
                                 : ", ownerReferences: [{apiVersion: apps/v1, kind: " + owner +
                                       ", name: w, uid: w, controller: true}]";
  return Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: " + name +
                ", uid: " + name + owners + metadata + "}, spec: {nodeName: n1" + spec + "}}");
}

const ObjectPtr& Node() {
  static const ObjectPtr kNode = Decode("{apiVersion: v1, kind: Node, metadata: {name: n1}}");
  return kNode;
}

std::vector<std::string> Names(const std::vector<ObjectPtr>& pods) {
  std::vector<std::string> names;
  for (const ObjectPtr& pod : pods) names.emplace_back(pod->metadata().name);
  return names;
}

TEST(PlanDrainTest, SkipsWhatKubectlSkips) {
  const std::vector<ObjectPtr> objects = {
      Node(),
      PodWith("web", "ReplicaSet"),
      PodWith("agent", "DaemonSet"),
      PodWith("static", "Node", "", ", annotations: {kubernetes.io/config.mirror: x}"),
      PodWith("ending", "ReplicaSet", "", ", deletionTimestamp: \"2026-03-01T12:00:00Z\""),
      PodWith("alone", ""),
      PodWith("cache", "ReplicaSet", ", volumes: [{name: v, emptyDir: {}}]"),
      Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: other}, spec: {nodeName: "
             "m}}")};
  const DrainPlan plan = PlanDrain(objects, {Node()});
  EXPECT_EQ(Names(plan.evicted), (std::vector<std::string>{"alone", "cache", "web"}));
  EXPECT_EQ(Names(plan.unmanaged), std::vector<std::string>{"alone"});
  EXPECT_EQ(Names(plan.with_empty_dir), std::vector<std::string>{"cache"});
  ASSERT_EQ(plan.skipped.size(), 2u);
  EXPECT_EQ(plan.skipped[0].workload, "d/daemonset/w");
}

/// A server with pods, which a budget protects for some attempts.
class DrainServer {
 public:
  explicit DrainServer(std::set<std::string> pods) : pods_(std::move(pods)) {}

  Status Run(const DrainPlan& plan, Duration timeout) {
    std::istringstream in;
    std::ostringstream printed;
    std::ostringstream complained;
    VirtualClock clock;
    MemorySink sink;
    Logger log(clock, sink);
    Context context{in, printed, complained, log};
    const client::Client client(server_.Connect(), clock_);
    const DrainClock drain_clock{[this] { return now_; }, [this](Duration time) { now_ += time; }};
    const Status status = EvictAll(plan, {}, timeout, client, drain_clock, context);
    out = printed.str();
    return status;
  }

  std::map<std::string, int> refusals;  // attempts that the budget refuses, by pod
  std::string out;
  std::vector<std::string> bodies;
  const std::set<std::string>& pods() const { return pods_; }

 private:
  net::Response Answer(const net::Request& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (request.method == "POST") {
      const std::size_t end = path.rfind("/eviction");
      const std::size_t begin = path.rfind('/', end - 1) + 1;
      const std::string name = path.substr(begin, end - begin);
      bodies.push_back(request.body);
      if (refusals[name]-- > 0) {
        return client::JsonResponse(
            R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":429,)"
            R"("reason":"TooManyRequests","message":"it would violate the budget"})",
            429);
      }
      pods_.erase(name);
      return client::JsonResponse(
          R"({"kind":"Status","apiVersion":"v1","status":"Success","code":201})", 201);
    }
    std::string items;
    for (const std::string& pod : pods_) {
      items += std::string(items.empty() ? "" : ",") + R"({"metadata":{"name":")" + pod +
               R"(","namespace":"d","uid":")" + pod + R"("},"spec":{"nodeName":"n"}})";
    }
    return client::JsonResponse(
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[)" +
        items + "]}");
  }

  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Answer(request); }};
  std::set<std::string> pods_;
  Instant now_ = ParseTime("2026-03-01T12:00:00Z").value();
};

DrainPlan PlanOf(const std::vector<std::string>& pods) {
  DrainPlan plan;
  for (const std::string& name : pods) plan.evicted.push_back(PodWith(name, "ReplicaSet"));
  return plan;
}

TEST(EvictAllTest, EvictsExactlyThePlan) {
  DrainServer server({"a", "b", "agent"});
  ASSERT_TRUE(server.Run(PlanOf({"a", "b"}), 0s));
  EXPECT_EQ(server.pods(), std::set<std::string>{"agent"});
  EXPECT_EQ(server.out, "pod/d/a evicted\npod/d/b evicted\n");
  ASSERT_EQ(server.bodies.size(), 2u);
  EXPECT_TRUE(server.bodies[0].contains(R"("preconditions":{"uid":"a"})")) << server.bodies[0];
}

TEST(EvictAllTest, TriesAgainWhatABudgetRefuses) {
  DrainServer server({"a", "b"});
  server.refusals["a"] = 3;
  ASSERT_TRUE(server.Run(PlanOf({"a", "b"}), 1min));
  EXPECT_TRUE(server.pods().empty());
  EXPECT_EQ(server.out,
            "pod/d/a waits: it would violate the budget\npod/d/b evicted\npod/d/a evicted\n");
}

TEST(EvictAllTest, GivesUpAfterTheTimeout) {
  DrainServer server({"a"});
  server.refusals["a"] = 1000;
  const Status status = server.Run(PlanOf({"a"}), 20s);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().reason, Reason::Timeout);
  EXPECT_TRUE(status.error().message.contains("Left: d/a")) << status.error().message;
}

constexpr const char* kCluster = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: d}
spec: {nodeName: n1, containers: [{name: c, image: i}]}
)";

TEST(DrainTest, PreviewsTheDrain) {
  const Outcome outcome = RunForTest({"drain", "n1", "--preview", "--cluster", "-"}, kCluster);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_TRUE(outcome.out.contains("Drain 1 node: n1\n")) << outcome.out;
  EXPECT_TRUE(outcome.out.contains("1 pod goes:\n")) << outcome.out;
  EXPECT_TRUE(outcome.out.contains("1 pod without a controller will not be created again"))
      << outcome.out;
  EXPECT_TRUE(outcome.err.contains("add --force")) << outcome.err;
}

TEST(DrainTest, ChecksTheTimeout) {
  const Outcome outcome =
      RunForTest({"drain", "n1", "--preview", "--timeout", "-1s", "--cluster", "-"}, kCluster);
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_TRUE(outcome.err.contains("--timeout")) << outcome.err;
}

}  // namespace
}  // namespace plimsoll::cli
