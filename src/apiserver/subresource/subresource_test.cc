#include <gtest/gtest.h>

#include "apiserver/subresource/amend.h"
#include "apiserver/subresource/binding.h"
#include "apiserver/subresource/eviction.h"
#include "apiserver/subresource/scale.h"
#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

using Serve = api::Answer<net::Response> (*)(Writer&, ApiRequest&);

/// Returns the response of the sub-resource as `<code> <body>`.
std::string Ask(WriterFixture& server, Serve serve, std::string method, std::string_view target,
                std::string body, net::Headers headers = {}) {
  ApiRequest request = server.MakeRequest(method, target, std::move(body), std::move(headers));
  api::Answer<net::Response> answer = serve(server.writer(), request);
  const net::Response response =
      answer ? *std::move(answer) : RespondStatus(request, answer.error());
  return std::to_string(response.status) + " " + *response.body;
}

std::string Message(const std::string& answer) {
  const auto document = codec::ParseJson(answer.substr(4));
  return answer.substr(0, 4) + std::string(TextAt((*document)->root(), "message"));
}

std::string Bind(WriterFixture& server, std::string body) {
  return Ask(server, ServeBinding, "POST", PodTarget("web") + "/binding", std::move(body));
}

TEST(BindingTest, GivesAPodItsNode) {
  WriterFixture server;
  server.Post(kPods, PodJson("web"));
  EXPECT_EQ(
      Bind(server, R"({"metadata":{"name":"web","annotations":{"a":"b"}},)"
                   R"("target":{"kind":"Node","name":"n1"}})"),
      R"(201 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})");
  const auto pod = *server.Stored("pods", "web")->Decode();
  EXPECT_EQ(TextAt(pod->tree(), "spec", "nodeName"), "n1");
  EXPECT_EQ(TextAt(pod->tree(), "metadata", "annotations", "a"), "b");
  const codec::Value* conditions = FindAt(pod->tree(), "status", "conditions");
  ASSERT_NE(conditions, nullptr);
  EXPECT_EQ(codec::WriteJson(*conditions), R"([{"type":"PodScheduled","status":"True",)"
                                           R"("lastTransitionTime":"2026-03-01T12:00:00Z"}])");

  EXPECT_EQ(
      Message(Bind(server, R"({"metadata":{"name":"web"},"target":{"name":"n2"}})")),
      "409 Operation cannot be fulfilled on pods/binding \"web\": pod web is already assigned "
      "to node \"n1\"");
}

TEST(BindingTest, RefusesAPodThatCannotBeRead) {
  WriterFixture server;
  server.CacheFixture::Put(server.Of("pods"), "default", "web", R"(,"spec":7)");
  EXPECT_EQ(Message(Bind(server, R"({"metadata":{"name":"web"},"target":{"name":"n1"}})")),
            "500 Internal error occurred: the stored value of pods/web is not a valid object");
}

TEST(BindingTest, RefusesWhatCannotBe) {
  WriterFixture server;
  const std::string plain = R"({"metadata":{"name":"web"},"target":{"name":"n1"}})";
  EXPECT_EQ(Message(Bind(server, plain)), "404 pods \"web\" not found");
  server.Post(kPods, PodJson("web", "", R"(,"schedulingGates":[{"name":"g"}])"));
  EXPECT_EQ(Message(Bind(server, plain)),
            "409 Operation cannot be fulfilled on pods/binding \"web\": pod web has non-empty "
            ".spec.schedulingGates");
  EXPECT_EQ(Message(Bind(server, R"({"metadata":{"name":"web"},"target":{"kind":"Pod"}})")),
            "500 [target.kind: Unsupported value: \"Pod\": supported "
            "values: \"Node\", \"<empty>\", target.name: Required value]");
  EXPECT_EQ(Message(Bind(server, R"({"metadata":{"name":"web"}})")),
            "500 target.name: Required value");
  EXPECT_EQ(Message(Bind(server, R"({"metadata":{"name":"other"},"target":{"name":"n1"}})")),
            "400 name in URL does not match name in Binding object");
  EXPECT_EQ(Message(Bind(server, R"({"target":{"name":"n1"}})")),
            "400 name in URL does not match name in Binding object");
}

TEST(BindingTest, RefusesAPodThatIsNotAsTheBinderSawIt) {
  WriterFixture server;
  const TestAnswer made = server.Post(kPods, PodJson("web"));
  const auto bind = [&](const std::string& seen) {
    return Message(
        Bind(server, R"({"metadata":{"name":"web",)" + seen + R"(},"target":{"name":"n1"}})"));
  };
  const std::string begin =
      "409 Operation cannot be fulfilled on pods \"web\": StorageError: invalid object, Code: 4, "
      "Key: /registry/pods/default/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition "
      "failed: ";
  EXPECT_EQ(bind(R"("uid":"other")"), begin + "UID in precondition: other, UID in object meta: " +
                                          made.At("metadata", "uid"));
  EXPECT_EQ(bind(R"("resourceVersion":"77")"),
            begin + "ResourceVersion in precondition: 77, ResourceVersion in object meta: " +
                made.At("metadata", "resourceVersion"));
  EXPECT_EQ(bind(R"("uid":")" + made.At("metadata", "uid") + "\""), "201 ");
}

TEST(BindingTest, RefusesAPodThatIsLeaving) {
  WriterFixture server;
  server.Post(kPods, PodJson("web", R"(,"finalizers":["a.b/c"])"));
  server.Delete(PodTarget("web"));
  EXPECT_EQ(Message(Bind(server, R"({"metadata":{"name":"web"},"target":{"name":"n1"}})")),
            "409 Operation cannot be fulfilled on pods/binding \"web\": pod web is being deleted, "
            "cannot be assigned to a host");
}

TEST(BindingTest, EndsANomination) {
  WriterFixture server;
  server.Post(kPods, PodJson("web"));
  server.Patch(PodTarget("web") + "/status", R"({"status":{"nominatedNodeName":"n2","conditions":)"
                                             R"([{"type":"PodScheduled","status":"False",)"
                                             R"("reason":"Unschedulable"}]}})");
  ASSERT_EQ(Bind(server, R"({"metadata":{"name":"web"},"target":{"name":"n1"}})").substr(0, 4),
            "201 ");
  const auto pod = *server.Stored("pods", "web")->Decode();
  EXPECT_EQ(FindAt(pod->tree(), "status", "nominatedNodeName"), nullptr);
  EXPECT_EQ(codec::WriteJson(*FindAt(pod->tree(), "status", "conditions")),
            R"([{"type":"PodScheduled","status":"True",)"
            R"("lastTransitionTime":"2026-03-01T12:00:00Z"}])");
}

TEST(PodStatusTest, SchedulersPatchIt) {
  WriterFixture server;
  server.Post(kPods, PodJson("web"));
  const std::string target = PodTarget("web") + "/status";
  const auto patch = [&](const std::string& status) {
    const TestAnswer answer = server.Patch(target, R"({"status":)" + status + "}");
    EXPECT_EQ(answer.code, 200) << answer.body;
    return answer;
  };
  patch(R"({"nominatedNodeName":"n1","conditions":[{"type":"PodScheduled","status":"False",)"
        R"("reason":"Unschedulable","message":"no"}]})");
  const TestAnswer disrupted =
      patch(R"({"conditions":[{"type":"DisruptionTarget","status":"True",)"
            R"("reason":"PreemptionByScheduler","message":"preempting"}]})");
  EXPECT_EQ(disrupted.At("status", "nominatedNodeName"), "n1");
  const codec::Value* conditions = FindAt(disrupted.document->root(), "status", "conditions");
  ASSERT_EQ(conditions->items().size(), 2u) << disrupted.body;
  // Conditions are merged by type; the others stay.
  const TestAnswer again = patch(R"({"nominatedNodeName":null,"conditions":[)"
                                 R"({"type":"PodScheduled","message":"still no"}]})");
  EXPECT_EQ(again.At("status", "nominatedNodeName"), "");
  EXPECT_TRUE(again.body.contains(R"("message":"still no")"));
  EXPECT_TRUE(again.body.contains(R"("reason":"Unschedulable")"));
  EXPECT_TRUE(again.body.contains("PreemptionByScheduler"));
}

constexpr std::string_view kRunning = R"(,"status":{"phase":"Running"})";

class EvictionTest : public testing::Test, public WriterFixture {
 protected:
  EvictionTest() {
    Post(kPods, PodJson("web", R"(,"labels":{"app":"web"})",
                        R"(,"nodeName":"n1","terminationGracePeriodSeconds":30)"));
    Put(PodTarget("web") + "/status", PodJson("web", R"(,"labels":{"app":"web"})", "", kRunning));
  }
  using WriterFixture::Put;
  void PutBudget(std::string_view name, int allowed) {
    CacheFixture::Put(Of("poddisruptionbudgets", "policy"), "default", name,
                      R"(,"spec":{"selector":{"matchLabels":{"app":"web"}}},"status":{)"
                      R"("observedGeneration":1,"desiredHealthy":3,"currentHealthy":2,)"
                      R"("disruptionsAllowed":)" +
                          std::to_string(allowed) + "}",
                      R"(,"generation":1)");
  }
  std::string Evict() {
    return Ask(*this, ServeEviction, "POST", PodTarget("web") + "/eviction",
               R"({"metadata":{"name":"web"}})");
  }
};

TEST_F(EvictionTest, TellsThePodWhyItGoes) {
  EXPECT_EQ(Evict().substr(0, 4), "201 ");
  const auto pod = *Stored("pods", "web")->Decode();
  EXPECT_EQ(pod->metadata().deletion_grace_period_seconds, 30);
  EXPECT_TRUE(codec::WriteJson(pod->tree()).contains("EvictionByEvictionAPI"));
}

TEST_F(EvictionTest, ABudgetIsCountedDown) {
  PutBudget("guard", 1);
  EXPECT_EQ(Evict().substr(0, 4), "201 ");
  const auto budget = *Stored("poddisruptionbudgets", "guard", "default", "policy")->Decode();
  EXPECT_EQ(codec::WriteJson(*FindAt(budget->tree(), "status", "disruptionsAllowed")), "0");
  EXPECT_EQ(TextAt(budget->tree(), "status", "disruptedPods", "web"), "2026-03-01T12:00:00Z");
}

TEST_F(EvictionTest, AnEmptyBudgetRefuses) {
  PutBudget("guard", 0);
  const std::string answer = Evict();
  EXPECT_EQ(Message(answer),
            "429 Cannot evict pod as it would violate the pod's disruption budget.");
  EXPECT_TRUE(
      answer.contains("The disruption budget guard needs 3 healthy pods and has 2 "
                      "currently"));
  EXPECT_TRUE((*Stored("pods", "web")->Decode())->metadata().deletion_timestamp.empty());
}

TEST_F(EvictionTest, ABudgetThatIsBehindAsksToWait) {
  CacheFixture::Put(Of("poddisruptionbudgets", "policy"), "default", "guard",
                    R"(,"spec":{"selector":{"matchLabels":{"app":"web"}}},"status":{)"
                    R"("observedGeneration":1,"disruptionsAllowed":1})",
                    R"(,"generation":2)");
  const std::string answer = Evict();
  EXPECT_TRUE(answer.starts_with("429 ")) << answer;
  EXPECT_TRUE(answer.contains("The disruption budget guard is still being processed"));
  EXPECT_TRUE(answer.contains(R"("retryAfterSeconds":10)")) << answer;
}

TEST_F(EvictionTest, AnUnhealthyPodCostsNothing) {
  CacheFixture::Put(Of("poddisruptionbudgets", "policy"), "default", "guard",
                    R"(,"spec":{"selector":{"matchLabels":{"app":"web"}}},"status":{)"
                    R"("observedGeneration":1,"desiredHealthy":2,"currentHealthy":2,)"
                    R"("disruptionsAllowed":0})",
                    R"(,"generation":1)");
  EXPECT_EQ(Evict().substr(0, 4), "201 ");
  EXPECT_FALSE((*Stored("pods", "web")->Decode())->metadata().deletion_timestamp.empty());
}

TEST_F(EvictionTest, SaysWhatThePodMustBe) {
  const auto evict = [&](const std::string& must) {
    return Message(
        Ask(*this, ServeEviction, "POST", PodTarget("web") + "/eviction",
            R"({"metadata":{"name":"web"},"deleteOptions":{"preconditions":{)" + must + "}}}"));
  };
  EXPECT_EQ(evict(R"("resourceVersion":"77")"),
            "409 Operation cannot be fulfilled on Pod \"web\": the ResourceVersion in the "
            "precondition (77) does not match the ResourceVersion in record (2). The object might "
            "have been modified");
  EXPECT_FALSE(codec::WriteJson((*Stored("pods", "web")->Decode())->tree()).contains("Disruption"));
  EXPECT_EQ(evict(R"("resourceVersion":"2")"), "201 ");
}

TEST_F(EvictionTest, TakesTheVersionOfOldClients) {
  const auto evict = [&](const std::string& version) {
    return Message(
        Ask(*this, ServeEviction, "POST", PodTarget("web") + "/eviction",
            R"({"kind":"Eviction","apiVersion":")" + version + R"(","metadata":{"name":"web"}})"));
  };
  EXPECT_EQ(evict("policy/v2").substr(0, 4), "400 ");
  EXPECT_EQ(evict("policy/v1beta1"), "201 ");
}

TEST_F(EvictionTest, TheNamesMustAgree) {
  EXPECT_EQ(Message(Ask(*this, ServeEviction, "POST", PodTarget("web") + "/eviction", "{}")),
            "400 name in URL does not match name in Eviction object");
}

TEST_F(EvictionTest, TwoBudgetsAreOneTooMany) {
  PutBudget("one", 5);
  PutBudget("two", 5);
  EXPECT_EQ(Message(Evict()),
            "500 This pod has more than one PodDisruptionBudget, which the eviction subresource "
            "does not support.");
}

TEST(ScaleTest, SetsTheReplicas) {
  WriterFixture server;
  const std::string deployments = "/apis/apps/v1/namespaces/default/deployments";
  const TestAnswer made = server.Post(
      deployments, R"({"metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":)"
                   R"({"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":)"
                   R"({"containers":[{"name":"c","image":"i"}]}}}})");
  ASSERT_EQ(made.code, 201) << made.body;
  const std::string scale = deployments + "/web/scale";
  const std::string patched =
      Ask(server, ServeScaleUpdate, "PATCH", scale, R"({"spec":{"replicas":5}})",
          {{"Content-Type", "application/merge-patch+json"}});
  EXPECT_TRUE(patched.starts_with("200 ")) << patched;
  EXPECT_TRUE(patched.contains(R"("spec":{"replicas":5})")) << patched;
  EXPECT_TRUE(patched.contains(R"("selector":"app=web")")) << patched;
  EXPECT_EQ(Message(Ask(server, ServeScaleUpdate, "PUT", scale,
                        R"({"metadata":{"name":"web"},"spec":{"replicas":-1}})")),
            "422 Scale.autoscaling \"web\" is invalid: spec.replicas: Invalid value: -1: must be "
            "greater than or equal to 0");
  EXPECT_EQ(Message(Ask(server, ServeScaleUpdate, "PUT", scale,
                        R"({"metadata":{"name":"web","resourceVersion":"1"},"spec":{}})"))
                .substr(0, 4),
            "409 ");
  const auto stored = *server.Stored("deployments", "web", "default", "apps")->Decode();
  EXPECT_EQ(codec::WriteJson(*FindAt(stored->tree(), "spec", "replicas")), "5");
}

}  // namespace
}  // namespace plimsoll::apiserver
