#include "controller/resource_claim/resource_claim_controller.h"

#include <gtest/gtest.h>

#include <memory>

#include "controller/resource_claim/claim_metrics.h"
#include "controller/resource_claim/pod_claims.h"
#include "controller/server_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using Texts = std::vector<std::string>;
using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();
constexpr std::string_view kGroup = "resource.kubernetes.io";

class ResourceClaimControllerTest : public testing::Test {
 protected:
  ResourceClaimControllerTest() {
    server_.Sync();
    server_.Settle();
  }

  void PutTemplate(std::string_view name, std::string_view request = "deviceClassName: gpu") {
    server_.Put("apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: " +
                std::string(name) +
                ", namespace: ns}\nspec: {spec: {devices: {requests: [{name: r, exactly: {" +
                std::string(request) + "}}]}}}\n");
    server_.Settle();
  }
  void PutPod(std::string_view name, std::string_view spec, std::string_view status = "{}",
              std::string_view metadata = {}) {
    server_.Put("apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
                ", namespace: ns" + std::string(metadata) + "}\nspec: {" + std::string(spec) +
                "}\nstatus: " + std::string(status) + "\n");
    server_.Settle();
  }
  /// Creates a claim with a device, reserved for pods given as `name` or `name=uid`.
  void PutAllocated(std::string_view name, const Texts& pods, std::string_view metadata = {}) {
    std::string consumers;
    for (const std::string& pod : pods) {
      const std::size_t at = pod.find('=');
      const std::string uid = at == std::string::npos ? UidOf(pod) : pod.substr(at + 1);
      consumers += "{resource: pods, name: " + pod.substr(0, at) + ", uid: '" + uid + "'},";
    }
    server_.Put("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: " +
                std::string(name) + ", namespace: ns, finalizers: [" +
                std::string(kClaimFinalizer) + "]" + std::string(metadata) +
                "}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n"
                "status: {allocation: {devices: {results: [{request: r, driver: d, pool: p, "
                "device: dev}]}}, reservedFor: [" +
                consumers + "]}\n");
    server_.Settle();
  }
  std::string UidOf(std::string_view pod) {
    const ObjectPtr found = server_.Find("Pod", "ns", pod);
    return found == nullptr ? "u-gone" : std::string(found->metadata().uid);
  }
  void PatchPod(std::string_view name, std::string_view patch) {
    server_.Patch("Pod", "ns", name, patch);
    server_.Settle();
  }
  const api::ResourceClaim* ClaimNamed(std::string_view name) {
    const ObjectPtr found = server_.Find("ResourceClaim", "ns", name);
    return found == nullptr ? nullptr : found->As<api::ResourceClaim>();
  }
  /// Describes the claim: `reserved for` names, `allocated`, `protected`; or `gone`.
  std::string StateOf(std::string_view name) {
    const api::ResourceClaim* const claim = ClaimNamed(name);
    if (claim == nullptr) return "gone";
    std::string text;
    for (const api::ConsumerReference& pod : claim->reserved_for)
      text += std::string(pod.name) + " ";
    if (claim->allocation) text += "allocated ";
    if (HasFinalizer(claim->metadata)) text += "protected ";
    if (!claim->metadata.deletion_timestamp.empty()) text += "terminating ";
    return text.substr(0, text.empty() ? 0 : text.size() - 1);
  }
  Texts ClaimNames() {
    Texts names;
    for (const ObjectPtr& claim : server_.All("ResourceClaim")) {
      names.emplace_back(claim->metadata().name);
    }
    return names;
  }
  /// Returns `claim=ResourceClaim` for each entry of the pod's status.
  Texts StatusesOf(std::string_view pod) {
    Texts texts;
    const ObjectPtr found = server_.Find("Pod", "ns", pod);
    const codec::Value* const list = FindAt(found->tree(), {"status", "resourceClaimStatuses"});
    if (list == nullptr) return texts;
    for (const codec::Value& item : list->items()) {
      texts.push_back(std::string(TextAt(item, {"name"})) + "=" +
                      std::string(TextAt(item, {"resourceClaimName"})));
    }
    return texts;
  }
  double Metric(const std::string& line) {
    const std::string text = metrics_.Text();
    const std::size_t at = text.find(line);
    return at == std::string::npos ? 0 : std::stod(text.substr(at + line.size()));
  }

  double Creations(const std::string& status, const std::string& admin_access) {
    return Metric("dynamic_resource_allocation_resourceclaim_creates_total{admin_access=\"" +
                  admin_access + "\",owner_api_group=\"\",owner_api_kind=\"Pod\",status=\"" +
                  status + "\"} ");
  }
  double Claims(const std::string& allocated, const std::string& source) {
    return Metric(
        "dynamic_resource_allocation_resource_claims{admin_access=\"false\",allocated=\"" +
        allocated + "\",source=\"" + source + "\"} ");
  }

  MetricsRegistry metrics_;
  ResourceClaimController core_{metrics_};
  ServerForTest<ResourceClaimController> server_{core_, kNoon};
};

constexpr std::string_view kTwoClaims =
    "resourceClaims: [{name: a, resourceClaimTemplateName: t}, {name: b, "
    "resourceClaimTemplateName: t}, {name: c, resourceClaimName: mine}]";
constexpr std::string_view kTemplated =
    "resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]";
constexpr std::string_view kTemplatedOnNode =
    "nodeName: n1, resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]";
constexpr std::string_view kMine =
    "nodeName: n1, resourceClaims: [{name: gpu, resourceClaimName: c}]";

TEST_F(ResourceClaimControllerTest, MakesClaimsFromTemplatesAndNamesThemInTheStatus) {
  PutTemplate("t");
  PutPod("p", kTwoClaims);
  const Texts names = ClaimNames();
  ASSERT_EQ(names.size(), 2u);
  const bool a_is_first = names[0].starts_with("p-a-");
  EXPECT_EQ(StatusesOf("p"),
            (Texts{"a=" + names[a_is_first ? 0 : 1], "b=" + names[a_is_first ? 1 : 0]}));
  const api::ResourceClaim* const claim = ClaimNamed(names[0]);
  EXPECT_EQ(OwningPod(claim->metadata), UidOf("p"));
  EXPECT_EQ(claim->spec.requests.size(), 1u);
  const std::size_t writes = server_.writes();
  PatchPod("p", R"({"status":{"phase":"Pending"}})");
  server_.RunFor(10min);
  EXPECT_EQ(server_.writes(), writes);
  EXPECT_EQ(Creations("success", "false"), 2);
}

TEST_F(ResourceClaimControllerTest, APodWaitsForItsTemplate) {
  PutPod("p", kTemplated);
  EXPECT_EQ(server_.TakeEvents(),
            (Texts{"FailedResourceClaimCreation: PodResourceClaim gpu: resource claim template "
                   "\"t\": resourceclaimtemplate.resource.k8s.io \"t\" not found"}));
  server_.RunFor(5ms);
  EXPECT_EQ(server_.TakeEvents().size(), 1u);
  server_.RunFor(1h);
  EXPECT_LT(server_.TakeEvents().size(), 25u);
  PutTemplate("t");  // found at once, however long the back-off is
  EXPECT_EQ(StatusesOf("p").size(), 1u);
}

TEST_F(ResourceClaimControllerTest, ARefusedCreationIsToldAndTriedAgain) {
  PutTemplate("t", "deviceClassName: gpu, adminAccess: true");
  server_.FailNext(1);
  PutPod("p", kTemplated);
  EXPECT_EQ(
      server_.TakeEvents(),
      (Texts{"FailedResourceClaimCreation: PodResourceClaim gpu: create ResourceClaim : refused"}));
  EXPECT_TRUE(ClaimNames().empty());
  server_.RunFor(5ms);
  EXPECT_EQ(ClaimNames().size(), 1u);
  EXPECT_EQ(StatusesOf("p").size(), 1u);
  for (const char* const status : {"success", "failure"}) {
    EXPECT_EQ(Creations(status, "true"), 1);
  }
}

TEST_F(ResourceClaimControllerTest, AClaimThatTheStatusDoesNotNameIsFound) {
  PutTemplate("t");
  PutPod("p", kTemplated, "{}", ", finalizers: [x/y]");
  const Texts names = ClaimNames();
  PatchPod("p", R"({"status":{"resourceClaimStatuses":null}})");
  EXPECT_EQ(StatusesOf("p"), (Texts{"gpu=" + names[0]}));
  EXPECT_EQ(ClaimNames(), names);
}

TEST_F(ResourceClaimControllerTest, AClaimThatWasDeletedIsMadeAgain) {
  PutTemplate("t");
  PutPod("p", kTemplated);
  const Texts names = ClaimNames();
  server_.Delete("ResourceClaim", "ns", names[0]);
  server_.Settle();
  ASSERT_EQ(ClaimNames().size(), 1u);
  EXPECT_NE(ClaimNames(), names);
  EXPECT_EQ(StatusesOf("p"), (Texts{"gpu=" + ClaimNames()[0]}));
}

TEST_F(ResourceClaimControllerTest, NothingIsMadeForPodsThatGo) {
  PutTemplate("t");
  PutPod("going", kTemplatedOnNode, "{}",
         ", finalizers: [x/y], deletionTimestamp: '2026-03-01T11:00:00Z'");
  PutPod("ended", kTemplatedOnNode, "{phase: Failed}");
  EXPECT_TRUE(ClaimNames().empty());
}

TEST_F(ResourceClaimControllerTest, ReservesForAPodThatTheSchedulerDidNotPlace) {
  PutPod("first", kMine);
  PutAllocated("c", {"first"});
  PutPod("second", kMine);
  EXPECT_EQ(StateOf("c"), "first second allocated protected");
  PutPod("unplaced", "resourceClaims: [{name: gpu, resourceClaimName: c}]");
  EXPECT_EQ(StateOf("c"), "first second allocated protected");
  PatchPod("unplaced", R"({"spec":{"nodeName":"n1"}})");
  EXPECT_EQ(StateOf("c"), "first second unplaced allocated protected");
}

TEST_F(ResourceClaimControllerTest, AnAllocationThatComesLaterIsReservedToo) {
  PutPod("p", kMine);
  PutAllocated("c", {});
  EXPECT_EQ(StateOf("c"), "p allocated protected");
}

TEST_F(ResourceClaimControllerTest, AFullClaimTakesNoFurtherPod) {
  Texts pods;
  for (int i = 0; i < 256; ++i) {
    pods.push_back("p" + std::to_string(i));
    PutPod(pods.back(), "nodeName: n1");
  }
  PutAllocated("c", pods);
  PutPod("late", kMine);
  EXPECT_EQ(ClaimNamed("c")->reserved_for.size(), 256u);
  server_.Delete("Pod", "ns", "p7");
  server_.Settle();
  EXPECT_EQ(ClaimNamed("c")->reserved_for.size(), 256u);
  EXPECT_TRUE(IsReservedFor(*ClaimNamed("c"), UidOf("late")));
}

TEST_F(ResourceClaimControllerTest, TheLastConsumerTakesTheAllocationWithIt) {
  PutPod("a", kMine);
  PutPod("b", kMine);
  PutAllocated("c", {"a", "b"});
  PatchPod("a", R"({"status":{"phase":"Succeeded"}})");
  EXPECT_EQ(StateOf("c"), "b allocated protected");
  server_.Delete("Pod", "ns", "b");
  server_.Settle();
  EXPECT_EQ(StateOf("c"), "");
  EXPECT_EQ(Claims("false", ""), 1);
}

TEST_F(ResourceClaimControllerTest, ATerminatingPodKeepsItsClaimUntilItHasEnded) {
  PutPod("a", kMine, "{phase: Running}", ", finalizers: [x/y]");
  PutAllocated("c", {"a"});
  server_.Delete("Pod", "ns", "a");
  server_.Settle();
  EXPECT_EQ(StateOf("c"), "a allocated protected");
  PatchPod("a", R"({"status":{"phase":"Failed"}})");
  EXPECT_EQ(StateOf("c"), "");
}

TEST_F(ResourceClaimControllerTest, AClaimOfAPodsOwnGoesWhenTheCollectorHasMarkedIt) {
  for (const bool has_collector : {true, false}) {
    PutPod("p", kMine);
    PutAllocated("own", {"p"},
                 ", ownerReferences: [{apiVersion: v1, kind: Pod, name: p, controller: true, "
                 "uid: '" +
                     UidOf("p") + "'}]");
    server_.Delete("Pod", "ns", "p");
    server_.Settle();
    EXPECT_EQ(StateOf("own"), "p allocated protected");
    const std::size_t writes = server_.writes();
    if (has_collector) {
      server_.Delete("ResourceClaim", "ns", "own");
      server_.Settle();
      EXPECT_EQ(StateOf("own"), "gone");
      EXPECT_EQ(server_.writes(), writes + 1) << "the finalizer";
    } else {
      server_.RunFor(ResourceClaimController::kCollectionMax);
      EXPECT_EQ(StateOf("own"), "");
    }
  }
}

TEST_F(ResourceClaimControllerTest, AClaimThatOthersKeepIsLetGoOf) {
  PutAllocated("c", {});
  server_.Patch("ResourceClaim", "ns", "c",
                R"({"metadata":{"finalizers":[")" + std::string(kClaimFinalizer) + R"(","x/y"]}})");
  server_.Delete("ResourceClaim", "ns", "c");
  server_.Settle();
  EXPECT_EQ(StateOf("c"), "terminating");
}

TEST_F(ResourceClaimControllerTest, AReplacedPodIsAnotherOne) {
  PutPod("a", "nodeName: n1");
  PutAllocated("c", {"a"});
  server_.Delete("Pod", "ns", "a");
  PutPod("a", "nodeName: n1");
  EXPECT_EQ(StateOf("c"), "");
}

TEST_F(ResourceClaimControllerTest, TheServerIsAskedForAnUnknownPod) {
  PutAllocated("c", {"long-gone"});
  EXPECT_EQ(StateOf("c"), "");
}

TEST_F(ResourceClaimControllerTest, OtherConsumersThanPodsAreLeftAlone) {
  server_.Put(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: ns}\n"
      "spec: {}\nstatus: {allocation: {}, reservedFor: [{apiGroup: x.io, resource: things, name: "
      "t, uid: u}, {resource: pods, name: gone, uid: v}]}\n");
  server_.RunFor(1h);
  EXPECT_EQ(server_.writes(), 0u);
}

TEST_F(ResourceClaimControllerTest, TheFinalizerOfTheSchedulerStays) {
  // The scheduler adds the finalizer before it allocates the claim.
  server_.Put(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: "
      "ns, finalizers: [" +
      std::string(kGroup) + "/delete-protection]}\nspec: {}\n");
  server_.RunFor(1h);
  EXPECT_EQ(server_.writes(), 0u);
  EXPECT_EQ(StateOf("c"), "protected");
}

TEST_F(ResourceClaimControllerTest, AFailedReleaseIsTriedAgain) {
  PutPod("a", kMine);
  PutAllocated("c", {"a"});
  server_.FailNext(2);
  server_.Delete("Pod", "ns", "a");
  server_.Settle();
  EXPECT_EQ(StateOf("c"), "a allocated protected");
  server_.RunFor(20ms);
  EXPECT_EQ(StateOf("c"), "");
}

TEST_F(ResourceClaimControllerTest, AnUnusedClaimCanBeDeleted) {
  PutAllocated("c", {});
  server_.Delete("ResourceClaim", "ns", "c");
  server_.Settle();
  EXPECT_EQ(StateOf("c"), "gone");
  PutPod("a", kMine);
  PutAllocated("c", {"a"});
  server_.Delete("ResourceClaim", "ns", "c");
  server_.Settle();
  EXPECT_EQ(StateOf("c"), "a allocated protected terminating");
  PatchPod("a", R"({"status":{"phase":"Failed"}})");
  EXPECT_EQ(StateOf("c"), "gone");
}

TEST_F(ResourceClaimControllerTest, ClaimsOfPodsThatEndedAreDeleted) {
  PutTemplate("t");
  PutPod("p", kTemplatedOnNode);
  const std::string claim = ClaimNames().at(0);
  server_.Patch(
      "ResourceClaim", "ns", claim,
      R"({"metadata":{"finalizers":[")" + std::string(kClaimFinalizer) +
          R"("]},"status":{"allocation":{},"reservedFor":[{"resource":"pods","name":"p","uid":")" +
          UidOf("p") + R"("}]}})");
  server_.Settle();
  EXPECT_EQ(Claims("true", "resource_claim_template"), 1);
  PatchPod("p", R"({"status":{"phase":"Succeeded"}})");
  EXPECT_TRUE(ClaimNames().empty());
  server_.RunFor(10min);
  EXPECT_TRUE(ClaimNames().empty());
}

TEST_F(ResourceClaimControllerTest, SoIsTheClaimForExtendedResources) {
  PutPod("p", "nodeName: n1",
         "{extendedResourceClaimStatus: {resourceClaimName: x, requestMappings: []}}");
  PutAllocated("x", {"p"},
               ", annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}, "
               "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, controller: true, uid: '" +
                   UidOf("p") + "'}]");
  EXPECT_EQ(StateOf("x"), "p allocated protected");
  EXPECT_EQ(Claims("true", "extended_resource"), 1);
  PatchPod("p", R"({"status":{"phase":"Failed"}})");
  EXPECT_EQ(StateOf("x"), "gone");
}

TEST_F(ResourceClaimControllerTest, AnotherOneGoesOnWhereThisStopped) {
  PutTemplate("t");
  PutPod("a", kMine);
  PutAllocated("c", {"a"});
  server_.Put("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns}\nspec: {" +
              std::string(kTemplated) + "}\n");
  server_.SettleWrites(1);  // the claim is created, but not yet in the pod's status
  ASSERT_TRUE(StatusesOf("p").empty());
  MetricsRegistry metrics;
  ResourceClaimController other(metrics);
  ServerForTest<ResourceClaimController> server(other, kNoon);
  server.TakeOver(server_);
  server.Sync();
  server.Settle();
  EXPECT_EQ(server.All("ResourceClaim").size(), 2u);
  EXPECT_EQ(server.writes(), 1u);
}

}  // namespace
}  // namespace plimsoll::controller
