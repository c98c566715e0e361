#include "apiserver/strategy/strategy.h"

#include <gtest/gtest.h>

#include "apiserver/strategy/kinds.h"
#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

/// Selector and template that workloads accept, after `"selector":`.
constexpr std::string_view kTemplate =
    R"({"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":)"
    R"({"containers":[{"name":"c","image":"i"}]}})";

std::string Workload(std::string_view spec, std::string_view meta = "") {
  return R"({"metadata":{"name":"x")" + std::string(meta) + R"(},"spec":{"selector":)" +
         std::string(kTemplate) + std::string(spec) + "}}";
}

struct StatusCase {
  std::string name;
  std::string target;
  std::string body;
  std::string status;
};

class FirstStatusTest : public testing::TestWithParam<StatusCase> {};

TEST_P(FirstStatusTest, IsTheServers) {
  const StatusCase& test = GetParam();
  WriterFixture server;
  const TestAnswer made = server.Post(test.target, test.body);
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("status"), test.status);
}

INSTANTIATE_TEST_SUITE_P(
    All, FirstStatusTest,
    testing::ValuesIn<StatusCase>({
        {"Deployment", "/apis/apps/v1/namespaces/default/deployments", Workload(""), "{}"},
        {"ReplicaSet", "/apis/apps/v1/namespaces/default/replicasets", Workload(""),
         R"({"replicas":0})"},
        {"StatefulSet", "/apis/apps/v1/namespaces/default/statefulsets",
         Workload(R"(,"serviceName":"s")"), R"({"availableReplicas":0,"replicas":0})"},
        {"DaemonSet", "/apis/apps/v1/namespaces/default/daemonsets", Workload(""),
         R"({"currentNumberScheduled":0,"desiredNumberScheduled":0,"numberMisscheduled":0,)"
         R"("numberReady":0})"},
        {"Budget", "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
         R"({"metadata":{"name":"x"},"spec":{"minAvailable":1}})",
         R"({"currentHealthy":0,"desiredHealthy":0,"disruptionsAllowed":0,"expectedPods":0})"},
        {"Node", "/api/v1/nodes", R"({"metadata":{"name":"n"},"status":{"capacity":{"cpu":"4"}}})",
         R"({"capacity":{"cpu":"4"},"allocatable":{"cpu":"4"},)"
         R"("daemonEndpoints":{"kubeletEndpoint":{"Port":0}},"nodeInfo":{"architecture":"",)"
         R"("bootID":"","containerRuntimeVersion":"","kernelVersion":"","kubeProxyVersion":"",)"
         R"("kubeletVersion":"","machineID":"","operatingSystem":"","osImage":"",)"
         R"("systemUUID":""}})"},
        {"Volume", "/api/v1/persistentvolumes",
         R"({"metadata":{"name":"v"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":)"
         R"(["ReadWriteOnce"],"hostPath":{"path":"/x"}},"status":{"phase":"Bound"}})",
         R"({"phase":"Pending","lastPhaseTransitionTime":"2026-03-01T12:00:00Z"})"},
        {"Claim", "/api/v1/namespaces/default/persistentvolumeclaims",
         R"({"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"resources":)"
         R"({"requests":{"storage":"1Gi"}}},"status":{"phase":"Bound"}})",
         R"({"phase":"Pending"})"},
        {"Service", "/api/v1/namespaces/default/services",
         R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}})", R"({"loadBalancer":{}})"},
        {"GatedPod", std::string(kPods), PodJson("p", "", R"(,"schedulingGates":[{"name":"g"}])"),
         R"({"phase":"Pending","qosClass":"BestEffort","conditions":[{"type":"PodScheduled",)"
         R"("status":"False","reason":"SchedulingGated","message":)"
         R"("Scheduling is blocked due to non-empty scheduling gates"}]})"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(StrategyTest, GenerationCountsChangesOfTheSpec) {
  WriterFixture server;
  const std::string all = "/apis/apps/v1/namespaces/default/deployments";
  const std::string one = all + "/x";
  EXPECT_EQ(server.Post(all, Workload("")).At("metadata", "generation"), "1");
  const auto generation = [&](std::string_view spec, std::string_view meta) {
    const TestAnswer got = server.Put(one, Workload(spec, meta));
    EXPECT_EQ(got.code, 200) << got.body;
    return got.At("metadata", "generation");
  };
  EXPECT_EQ(generation("", R"(,"labels":{"l":"1"})"), "1");
  EXPECT_EQ(generation(R"(,"replicas":3)", ""), "2");
  EXPECT_EQ(generation(R"(,"replicas":3)", R"(,"annotations":{"a":"1"})"), "3");
  const TestAnswer status = server.Patch(one + "/status", R"({"status":{"replicas":3},)"
                                                          R"("metadata":{"labels":{"l":"2"}}})");
  EXPECT_EQ(status.At("metadata", "generation"), "3");
  EXPECT_EQ(status.At("metadata", "labels"), "");
}

TEST(StrategyTest, DaemonSetsCountTheirTemplatesApart) {
  WriterFixture server;
  const std::string all = "/apis/apps/v1/namespaces/default/daemonsets";
  constexpr std::string_view kCount = "deprecated.daemonset.template.generation";
  EXPECT_EQ(server.Post(all, Workload("")).At("metadata", "annotations", kCount), "1");
  const TestAnswer slower = server.Put(all + "/x", Workload(R"(,"minReadySeconds":5)"));
  EXPECT_EQ(slower.At("metadata", "annotations", kCount), "1");
  EXPECT_EQ(slower.At("metadata", "generation"), "2");
  const TestAnswer other =
      server.Patch(all + "/x", R"({"spec":{"template":{"spec":{"hostNetwork":true}}}})");
  EXPECT_EQ(other.At("metadata", "annotations", kCount), "2");
}

TEST(StrategyTest, JobsOwnThePodsThatBearTheirUid) {
  WriterFixture server;
  const TestAnswer made =
      server.Post("/apis/batch/v1/namespaces/default/jobs",
                  R"({"metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never",)"
                  R"("containers":[{"name":"c","image":"i"}]}}}})");
  ASSERT_EQ(made.code, 201) << made.body;
  const std::string uid = made.At("metadata", "uid");
  EXPECT_EQ(made.At("spec", "selector"),
            R"({"matchLabels":{"batch.kubernetes.io/controller-uid":")" + uid + "\"}}");
  EXPECT_EQ(made.At("spec", "template", "metadata", "labels"),
            R"({"batch.kubernetes.io/controller-uid":")" + uid +
                R"(","batch.kubernetes.io/job-name":"j","controller-uid":")" + uid +
                R"(","job-name":"j"})");
}

TEST(StrategyTest, APodsOwnLabelsBecomePartOfItsTerms) {
  WriterFixture server;
  const TestAnswer made = server.Post(
      kPods,
      PodJson("p", R"(,"labels":{"app":"web"})",
              R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
              R"([{"topologyKey":"zone","labelSelector":{},"matchLabelKeys":["app","none"]}]}})"));
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_NE(made.At("spec", "affinity")
                .find(R"("labelSelector":{"matchExpressions":[{"key":"app","operator":"In",)"
                      R"("values":["web"]}]})"),
            std::string::npos);
}

struct MergeCase {
  std::string name;
  std::string spec;
  std::string want;  // expected part of the response
};

class LabelKeysTest : public testing::TestWithParam<MergeCase> {};

TEST_P(LabelKeysTest, AreMerged) {
  WriterFixture server;
  const TestAnswer made =
      server.Post(kPods, PodJson("p", R"(,"labels":{"app":"web","rev":"3"})", GetParam().spec));
  EXPECT_TRUE(made.body.contains(GetParam().want)) << made.body;
}

std::string Spread(std::string_view members) {
  return R"(,"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":)"
         R"("DoNotSchedule")" +
         std::string(members) + "}]";
}

INSTANTIATE_TEST_SUITE_P(
    All, LabelKeysTest,
    testing::ValuesIn<MergeCase>({
        {"Spread",
         Spread(
             R"(,"labelSelector":{"matchLabels":{"app":"web"}},"matchLabelKeys":["rev","none"])"),
         R"("labelSelector":{"matchLabels":{"app":"web"},"matchExpressions":[{"key":"rev",)"
         R"("operator":"In","values":["3"]}]})"},
        {"SpreadWithoutSelector", Spread(R"(,"labelSelector":null,"matchLabelKeys":["rev"])"),
         "matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"},
        {"SpreadOverTheOwnSelector",
         Spread(R"(,"labelSelector":{"matchLabels":{"app":"web"}},"matchLabelKeys":["app"])"),
         "exists in both matchLabelKeys and labelSelector"},
        {"SpreadWithoutKeys", Spread(R"(,"labelSelector":{},"matchLabelKeys":null)"),
         R"("labelSelector":{}})"},
        {"Mismatch",
         R"(,"affinity":{"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":)"
         R"([{"weight":1,"podAffinityTerm":{"topologyKey":"zone","labelSelector":{},)"
         R"("matchLabelKeys":["app"],"mismatchLabelKeys":["rev"]}}]}})",
         R"("matchExpressions":[{"key":"app","operator":"In","values":["web"]},)"
         R"({"key":"rev","operator":"NotIn","values":["3"]}])"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(StrategyTest, APodsStatusWriteKeepsOwnersSpecAndDeletion) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("p", "", R"(,"nodeName":"n1")")).code, 201);
  const TestAnswer got = server.Patch(
      PodTarget("p") + "/status",
      R"({"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"u"}],)"
      R"("deletionTimestamp":"2020-01-01T00:00:00Z"},"spec":{"nodeName":"n2"},)"
      R"("status":{"phase":"Running"}})",
      "merge-patch+json");
  EXPECT_EQ(got.code, 200) << got.body;
  EXPECT_EQ(got.At("status", "phase"), "Running");
  EXPECT_EQ(got.At("spec", "nodeName"), "n1");
  EXPECT_EQ(got.At("metadata", "ownerReferences"), "");
  EXPECT_EQ(got.At("metadata", "deletionTimestamp"), "");
}

TEST(StrategyTest, APodsObservedGenerationOutlivesOldClients) {
  WriterFixture server;
  ASSERT_EQ(server.Post(kPods, PodJson("p")).code, 201);
  const std::string target = PodTarget("p") + "/status";
  server.Put(target, PodJson("p", "", "",
                             R"(,"status":{"observedGeneration":1,"conditions":[{"type":"Ready",)"
                             R"("status":"True","observedGeneration":1}]})"));
  const TestAnswer got = server.Put(
      target,
      PodJson("p", "", "", R"(,"status":{"conditions":[{"type":"Ready","status":"False"}]})"));
  EXPECT_EQ(got.At("status"),
            R"({"conditions":[{"type":"Ready","status":"False","observedGeneration":1}],)"
            R"("qosClass":"BestEffort","observedGeneration":1})");
}

TEST(StrategyTest, ServiceAccountsNameTheirSecretsOnly) {
  WriterFixture server;
  const TestAnswer made =
      server.Post("/api/v1/namespaces/default/serviceaccounts",
                  R"({"metadata":{"name":"a"},"secrets":[{"name":"s","namespace":"x"}]})");
  EXPECT_EQ(made.At("secrets"), R"([{"name":"s"}])") << made.body;
}

TEST(StrategyTest, AVolumesPhaseHasItsTime) {
  WriterFixture server;
  const std::string all = "/api/v1/persistentvolumes";
  ASSERT_EQ(server
                .Post(all, R"({"metadata":{"name":"v"},"spec":{"capacity":{"storage":"1Gi"},)"
                           R"("accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"}}})")
                .code,
            201);
  server.clock().Advance(std::chrono::seconds(5));
  const TestAnswer bound = server.Patch(all + "/v/status", R"({"status":{"phase":"Bound"}})");
  EXPECT_EQ(bound.At("status", "lastPhaseTransitionTime"), "2026-03-01T12:00:05Z") << bound.body;
  server.clock().Advance(std::chrono::seconds(5));
  const TestAnswer told = server.Patch(all + "/v/status", R"({"status":{"message":"m"}})");
  EXPECT_EQ(told.At("status", "lastPhaseTransitionTime"), "2026-03-01T12:00:05Z");
}

TEST(StrategyTest, ADeviceTaintsTimeFollowsItsEffect) {
  WriterFixture server;
  const std::string all = "/apis/resource.k8s.io/v1/devicetaintrules";
  const auto rule = [](std::string_view effect) {
    return R"({"metadata":{"name":"r"},"spec":{"deviceSelector":{"driver":"d"},"taint":)"
           R"({"key":"k","effect":")" +
           std::string(effect) + R"("}}})";
  };
  const TestAnswer made = server.Post(all, rule("NoSchedule"));
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("spec", "taint", "timeAdded"), "2026-03-01T12:00:00Z");
  server.clock().Advance(std::chrono::seconds(5));
  const TestAnswer other =
      server.Patch(all + "/r", R"({"spec":{"taint":{"effect":"NoExecute"}}})", "merge-patch+json");
  EXPECT_EQ(other.At("spec", "taint", "timeAdded"), "2026-03-01T12:00:05Z") << other.body;
  EXPECT_EQ(other.At("metadata", "generation"), "2");
}

TEST(StrategyTest, ADeviceTaintsTimeFollowsItsValue) {
  WriterFixture server;
  const std::string all = "/apis/resource.k8s.io/v1/devicetaintrules";
  ASSERT_EQ(server
                .Post(all, R"({"metadata":{"name":"r"},"spec":{"taint":)"
                           R"({"key":"k","value":"8","effect":"NoExecute"}}})")
                .code,
            201);
  server.clock().Advance(std::chrono::seconds(5));
  const TestAnswer labelled = server.Patch(all + "/r", R"({"metadata":{"labels":{"a":"b"}}})");
  EXPECT_EQ(labelled.At("spec", "taint", "timeAdded"), "2026-03-01T12:00:00Z");
  const TestAnswer other = server.Patch(all + "/r", R"({"spec":{"taint":{"value":"0"}}})");
  EXPECT_EQ(other.At("spec", "taint", "timeAdded"), "2026-03-01T12:00:05Z") << other.body;
}

TEST(StrategyTest, ADeviceTaintsTimeIsRoundedUpToASecond) {
  WriterFixture server;
  server.clock().Advance(std::chrono::milliseconds(1));
  const TestAnswer rule =
      server.Post("/apis/resource.k8s.io/v1/devicetaintrules",
                  R"({"metadata":{"name":"r"},"spec":{"taint":{"key":"k","effect":"NoExecute"}}})");
  EXPECT_EQ(rule.At("spec", "taint", "timeAdded"), "2026-03-01T12:00:01Z") << rule.body;
}

TEST(StrategyTest, ATaintThatASlicePublishesAgainKeepsItsTime) {
  WriterFixture server;
  const std::string all = "/apis/resource.k8s.io/v1/resourceslices";
  const auto slice = [](const std::string& content) {
    return R"({"metadata":{"name":"s"},"spec":{"driver":"d.example.com","nodeName":"n","pool":)"
           R"({"name":"n","generation":1,"resourceSliceCount":1},)" +
           content + "}}";
  };
  const auto devices = [&](std::string_view value) {
    return slice(R"("devices":[{"name":"a","taints":[{"key":"k","value":")" + std::string(value) +
                 R"(","effect":"NoExecute"}]},{"name":"b"}])");
  };
  const auto time_of = [](const TestAnswer& answer) {
    const codec::Value* const list = FindAt(answer.document->root(), "spec", "devices");
    return list == nullptr ? std::string_view(answer.body)
                           : TextAt(list->items()[0].Find("taints")->items()[0], "timeAdded");
  };
  const TestAnswer made = server.Post(all, devices("1"));
  ASSERT_EQ(made.code, 201) << made.body;
  server.clock().Advance(std::chrono::seconds(5));
  const TestAnswer again = server.Put(all + "/s", devices("1"));
  ASSERT_EQ(again.code, 200) << again.body;
  EXPECT_EQ(time_of(again), "2026-03-01T12:00:00Z");
  EXPECT_EQ(time_of(server.Put(all + "/s", devices("2"))), "2026-03-01T12:00:05Z");
}

TEST(StrategyTest, ATaintInASlicesOwnListKeepsItsTime) {
  WriterFixture server;
  const std::string all = "/apis/resource.k8s.io/v1/resourceslices";
  const std::string slice =
      R"({"metadata":{"name":"t"},"spec":{"driver":"d.example.com","nodeName":"n","pool":)"
      R"({"name":"n","generation":1,"resourceSliceCount":1},"taints":[{"device":"a","taint":)"
      R"({"key":"k","effect":"NoSchedule"}}]}})";
  const auto time_of = [](const TestAnswer& answer) {
    const codec::Value* const list = FindAt(answer.document->root(), "spec", "taints");
    return list == nullptr ? std::string_view(answer.body)
                           : TextAt(*list->items()[0].Find("taint"), "timeAdded");
  };
  ASSERT_EQ(server.Post(all, slice).code, 201);
  server.clock().Advance(std::chrono::seconds(5));
  EXPECT_EQ(time_of(server.Put(all + "/t", slice)), "2026-03-01T12:00:00Z");
}

TEST(StrategyTest, TaintRulesOfAllVersionsAreOne) {
  WriterFixture server;
  const std::string v1 = "/apis/resource.k8s.io/v1/devicetaintrules";
  const std::string v1beta2 = "/apis/resource.k8s.io/v1beta2/devicetaintrules";
  const std::string v1alpha3 = "/apis/resource.k8s.io/v1alpha3/devicetaintrules";
  const std::string spec = R"("spec":{"taint":{"key":"k","effect":"None"}})";
  const TestAnswer made = server.Post(v1alpha3, R"({"metadata":{"name":"r"},)" + spec + "}");
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("apiVersion"), "resource.k8s.io/v1alpha3");

  const TestAnswer status = server.Patch(
      v1 + "/r/status",
      R"({"status":{"conditions":[{"type":"EvictionInProgress","status":"False","reason":"NoEffect",)"
      R"("message":"m","lastTransitionTime":"2026-03-01T12:00:00Z"}]}})",
      "merge-patch+json");
  EXPECT_EQ(status.code, 200) << status.body;
  EXPECT_EQ(status.At("apiVersion"), "resource.k8s.io/v1");

  // Only the stable version requires a resourceVersion for updates.
  const std::string whole = R"({"metadata":{"name":"r"},)" + spec + "}";
  EXPECT_EQ(server.Put(v1beta2 + "/r", whole).code, 200);
  const TestAnswer refused = server.Put(v1 + "/r", whole);
  EXPECT_EQ(refused.code, 422);
  EXPECT_TRUE(refused.message().contains("metadata.resourceVersion")) << refused.body;

  EXPECT_EQ(server.Delete(v1beta2 + "/r").At("kind"), "DeviceTaintRule");
  ASSERT_EQ(server.Post(v1, whole).code, 201);
  EXPECT_EQ(server.Delete(v1 + "/r").At("kind"), "Status");
}

TEST(StrategyTest, AClaimsStatusIsValidated) {
  WriterFixture server;
  const std::string all = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  const TestAnswer made = server.Post(
      all, R"({"metadata":{"name":"c"},"spec":{"devices":{"requests":[{"name":"r","exactly":)"
           R"({"deviceClassName":"gpu"}}]}},"status":{"reservedFor":[{"name":"p"}]}})");
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("status"), "{}");
  const TestAnswer early =
      server.Patch(all + "/c/status",
                   R"({"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1"}]}})");
  EXPECT_EQ(early.code, 422) << early.body;
  EXPECT_TRUE(early.message().contains("may not be specified when `allocated` is not set"));
}

}  // namespace
}  // namespace plimsoll::apiserver
