#include "controller/resource_claim/pod_claims.h"

#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

struct NameCase {
  std::string name;
  std::string pod;
  std::string claim;
  std::string want;
};

class GenerateNameTest : public testing::TestWithParam<NameCase> {};

TEST_P(GenerateNameTest, FitsIntoALabelWithFiveCharactersBehind) {
  const std::string got = GenerateName(GetParam().pod, GetParam().claim);
  EXPECT_EQ(got, GetParam().want);
  EXPECT_LE(got.size(), 57u);
}

INSTANTIATE_TEST_SUITE_P(
    All, GenerateNameTest,
    testing::ValuesIn<NameCase>({
        {"Short", "train-0", "gpu", "train-0-gpu-"},
        {"AsLongAsCanBe", std::string(50, 'p'), "claim", std::string(50, 'p') + "-claim-"},
        {"OneTooLong", std::string(51, 'p'), "claim", std::string(50, 'p') + "-clai"},
        {"BothLong", std::string(63, 'p'), std::string(63, 'c'),
         std::string(28, 'p') + "-" + std::string(28, 'c')},
        {"VeryLongPod", std::string(253, 'p'), "gpu", std::string(55, 'p') + "-"},
    }),
    [](const auto& test) { return test.param.name; });

ObjectPtr PodWith(std::string_view claim, std::string_view status) {
  return Decode(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, uid: u}\n"
      "spec: {resourceClaims: [" +
      std::string(claim) + "]}\nstatus: " + std::string(status) + "\n");
}

struct ClaimCase {
  std::string name;
  std::string claim;
  std::string status;
  PodClaim::Kind want;
  std::string want_name;
};

class ClaimOfTest : public testing::TestWithParam<ClaimCase> {};

TEST_P(ClaimOfTest, ReadsSpecAndStatus) {
  const ObjectPtr pod = PodWith(GetParam().claim, GetParam().status);
  const PodClaim got = ClaimOf(*pod, pod->As<api::Pod>()->spec.resource_claims.at(0));
  EXPECT_EQ(got.kind, GetParam().want);
  EXPECT_EQ(got.name, GetParam().want_name);
}

using Kind = PodClaim::Kind;
INSTANTIATE_TEST_SUITE_P(
    All, ClaimOfTest,
    testing::ValuesIn<ClaimCase>({
        {"ByName", "{name: gpu, resourceClaimName: mine}", "{}", Kind::Named, "mine"},
        {"NotYet", "{name: gpu, resourceClaimTemplateName: t}", "{}", Kind::NotCreated, ""},
        {"OfAnother", "{name: gpu, resourceClaimTemplateName: t}",
         "{resourceClaimStatuses: [{name: nic, resourceClaimName: x}]}", Kind::NotCreated, ""},
        {"Made", "{name: gpu, resourceClaimTemplateName: t}",
         "{resourceClaimStatuses: [{name: gpu, resourceClaimName: x}]}", Kind::Generated, "x"},
        {"NotNeeded", "{name: gpu, resourceClaimTemplateName: t}",
         "{resourceClaimStatuses: [{name: gpu}]}", Kind::NotNeeded, ""},
        {"Neither", "{name: gpu}", "{}", Kind::Unknown, ""},
    }),
    [](const auto& test) { return test.param.name; });

struct DoneCase {
  std::string name;
  std::string metadata;
  std::string node;
  std::string phase;
  bool want;
};

class IsPodDoneTest : public testing::TestWithParam<DoneCase> {};

TEST_P(IsPodDoneTest, WhenItHasEndedOrNeverBegins) {
  const DoneCase& test = GetParam();
  const ObjectPtr pod =
      Decode("apiVersion: v1\nkind: Pod\nmetadata: {name: p" + test.metadata +
             "}\nspec: {nodeName: '" + test.node + "'}\nstatus: {phase: " + test.phase + "}\n");
  EXPECT_EQ(IsPodDone(*pod), test.want);
}

constexpr const char* kDeleted = ", deletionTimestamp: '2026-03-01T12:00:00Z'";
INSTANTIATE_TEST_SUITE_P(All, IsPodDoneTest,
                         testing::ValuesIn<DoneCase>({
                             {"Pending", "", "", "Pending", false},
                             {"Running", "", "n", "Running", false},
                             {"Succeeded", "", "n", "Succeeded", true},
                             {"Failed", "", "n", "Failed", true},
                             {"DeletedBeforeItHadANode", kDeleted, "", "Pending", true},
                             {"Terminating", kDeleted, "n", "Running", false},
                         }),
                         [](const auto& test) { return test.param.name; });

TEST(ClaimFromTemplateTest, TakesSpecLabelsAndAnnotations) {
  const ObjectPtr pod = PodWith("{name: gpu, resourceClaimTemplateName: t}", "{}");
  const ObjectPtr claim_template = Decode(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\n"
      "metadata: {name: t, namespace: ns, labels: {not: copied}}\n"
      "spec:\n"
      "  metadata:\n"
      "    labels: {team: a}\n"
      "    annotations: {note: b, resource.kubernetes.io/pod-claim-name: other}\n"
      "  spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n");
  EXPECT_EQ(
      ClaimFromTemplate(*pod, "gpu", *claim_template),
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{)"
      R"("generateName":"p-gpu-","namespace":"ns",)"
      R"("annotations":{"note":"b","resource.kubernetes.io/pod-claim-name":"gpu"},)"
      R"("labels":{"team":"a"},)"
      R"("ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u",)"
      R"("controller":true,"blockOwnerDeletion":true}]},)"
      R"("spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu"}}]}}})");
}

TEST(ClaimPatchTest, NamesWhatItWasMadeFrom) {
  const ObjectPtr pod = PodWith("{name: gpu, resourceClaimTemplateName: t}", "{}");
  const ObjectPtr claim = Decode(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n"
      "metadata: {name: c, namespace: ns, resourceVersion: '7',\n"
      "  finalizers: [a/b, resource.kubernetes.io/delete-protection]}\n"
      "spec: {}\n"
      "status: {reservedFor: [{resource: pods, name: one, uid: u1}, {resource: pods, name: two, "
      "uid: "
      "u2}]}\n");
  EXPECT_EQ(
      ReservePatch(*claim, *pod),
      R"({"metadata":{"resourceVersion":"7"},"status":{"reservedFor":[)"
      R"({"resource":"pods","name":"one","uid":"u1"},{"resource":"pods","name":"two","uid":"u2"},)"
      R"({"resource":"pods","name":"p","uid":"u"}]}})");
  EXPECT_EQ(ReleasePatch(*claim, {1}),
            R"({"metadata":{"resourceVersion":"7"},"status":{"reservedFor":[)"
            R"({"resource":"pods","name":"two","uid":"u2"}]}})");
  EXPECT_EQ(ReleasePatch(*claim, {}),
            R"({"metadata":{"resourceVersion":"7"},)"
            R"("status":{"reservedFor":null,"allocation":null,"devices":null}})");
  EXPECT_EQ(RemoveFinalizerPatch(*claim),
            R"({"metadata":{"resourceVersion":"7","finalizers":["a/b"]}})");
  EXPECT_EQ(ClaimStatusesPatch(*pod, {{"gpu", "c"}, {"nic", ""}}),
            R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"ns","uid":"u"},)"
            R"("status":{"resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"c"},)"
            R"({"name":"nic"}]}})");
}

}  // namespace
}  // namespace plimsoll::controller
