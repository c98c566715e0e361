#include "apiserver/authz/node_references.h"

#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using Kind = NodeReferences::Kind;

constexpr std::string_view kSpec =
    R"(,"spec":{"nodeName":"n1","serviceAccountName":"robot",
"imagePullSecrets":[{"name":"pull"}],
"containers":[{"name":"c","image":"i","env":[{"name":"E","valueFrom":{"secretKeyRef":{"name":"env","key":"k"}}},
 {"name":"F","valueFrom":{"configMapKeyRef":{"name":"env-map","key":"k"}}}],
 "envFrom":[{"secretRef":{"name":"env-from"}},{"configMapRef":{"name":"env-from-map"}}]}],
"initContainers":[{"name":"i","image":"i","envFrom":[{"secretRef":{"name":"init"}}]}],
"volumes":[{"name":"a","secret":{"secretName":"vol"}},{"name":"b","configMap":{"name":"vol-map"}},
 {"name":"c","projected":{"sources":[{"secret":{"name":"proj"}},{"configMap":{"name":"proj-map"}}]}},
 {"name":"d","csi":{"driver":"x","nodePublishSecretRef":{"name":"csi"},"volumeAttributes":{"secretName":"trap"}}},
 {"name":"e","persistentVolumeClaim":{"claimName":"claim"}},{"name":"scratch","ephemeral":{}}],
"resourceClaims":[{"name":"g","resourceClaimName":"gpu"},{"name":"h","resourceClaimTemplateName":"t"}]},
"status":{"resourceClaimStatuses":[{"name":"h","resourceClaimName":"made"}]})";

class NodeReferencesTest : public testing::Test {
 protected:
  NodeReferencesTest() {
    fixture_.Put(fixture_.Of("pods"), "ns", "p", kSpec);
    fixture_.Put(fixture_.Of("persistentvolumeclaims"), "ns", "claim",
                 R"(,"spec":{"volumeName":"pv1"})");
    fixture_.Put(
        fixture_.Of("persistentvolumes"), "", "pv1",
        R"(,"spec":{"claimRef":{"namespace":"ns","name":"claim"},"csi":{"driver":"d","volumeHandle":"h",)"
        R"("nodeStageSecretRef":{"name":"stage","namespace":"storage"},)"
        R"("controllerPublishSecretRef":{"name":"control","namespace":"storage"}}})");
    fixture_.Put(fixture_.Of("persistentvolumes"), "", "pv2", R"(,"spec":{})");
    const store::Revision last = fixture_.Put(
        fixture_.Of("volumeattachments", "storage.k8s.io"), "", "va",
        R"(,"spec":{"attacher":"d","nodeName":"n1","source":{"persistentVolumeName":"pv1"}})");
    EXPECT_TRUE(fixture_.cache().WaitFor(last, std::chrono::seconds(5)).has_value());
  }

  bool Has(Kind kind, std::string_view namespace_, std::string_view name,
           std::string_view node = "n1") {
    return NodeReferences(fixture_.cache(), fixture_.table()).Has(node, kind, namespace_, name);
  }

  CacheFixture fixture_;
};

TEST_F(NodeReferencesTest, ObjectsThatCannotBeReadReferToNothing) {
  EXPECT_TRUE(Has(Kind::Secret, "storage", "stage"));
  store::Revision last = fixture_.Put(fixture_.Of("persistentvolumes"), "", "pv1", R"(,"spec":7)");
  ASSERT_TRUE(fixture_.cache().WaitFor(last, std::chrono::seconds(5)).has_value());
  EXPECT_FALSE(Has(Kind::Secret, "storage", "stage"));
  EXPECT_FALSE(Has(Kind::PersistentVolume, "", "pv1", "n2"));
  EXPECT_TRUE(Has(Kind::Secret, "ns", "pull"));
  last = fixture_.Put(fixture_.Of("pods"), "ns", "p", R"(,"spec":{"nodeName":"n1","volumes":7})");
  ASSERT_TRUE(fixture_.cache().WaitFor(last, std::chrono::seconds(5)).has_value());
  EXPECT_FALSE(Has(Kind::Secret, "ns", "pull"));
  EXPECT_FALSE(Has(Kind::PersistentVolumeClaim, "ns", "claim"));
}

TEST_F(NodeReferencesTest, FindsWhatPodsUse) {
  for (const char* const name : {"pull", "env", "env-from", "init", "vol", "proj", "csi"}) {
    EXPECT_TRUE(Has(Kind::Secret, "ns", name)) << name;
    EXPECT_FALSE(Has(Kind::Secret, "ns", name, "n2")) << name;
    EXPECT_FALSE(Has(Kind::Secret, "other", name)) << name;
    EXPECT_FALSE(Has(Kind::ConfigMap, "ns", name)) << name;
  }
  EXPECT_FALSE(Has(Kind::Secret, "ns", "trap")) << "an attribute is no reference";
  for (const char* const name : {"env-map", "env-from-map", "vol-map", "proj-map"}) {
    EXPECT_TRUE(Has(Kind::ConfigMap, "ns", name)) << name;
    EXPECT_FALSE(Has(Kind::Secret, "ns", name)) << name;
  }
  EXPECT_TRUE(Has(Kind::PersistentVolumeClaim, "ns", "claim"));
  EXPECT_TRUE(Has(Kind::PersistentVolumeClaim, "ns", "p-scratch"));
  EXPECT_FALSE(Has(Kind::PersistentVolumeClaim, "ns", "p-e"));
  EXPECT_TRUE(Has(Kind::ServiceAccount, "ns", "robot"));
  EXPECT_TRUE(Has(Kind::ResourceClaim, "ns", "gpu"));
  EXPECT_TRUE(Has(Kind::ResourceClaim, "ns", "made"));
  EXPECT_FALSE(Has(Kind::ResourceClaim, "ns", "t"));
  EXPECT_TRUE(Has(Kind::Pod, "ns", "p"));
  EXPECT_FALSE(Has(Kind::Pod, "ns", "p", "n2"));
}

TEST_F(NodeReferencesTest, FollowsClaimsToVolumesAndTheirSecrets) {
  EXPECT_TRUE(Has(Kind::PersistentVolume, "", "pv1"));
  EXPECT_FALSE(Has(Kind::PersistentVolume, "", "pv1", "n2"));
  EXPECT_FALSE(Has(Kind::PersistentVolume, "", "pv2"));
  EXPECT_TRUE(Has(Kind::Secret, "storage", "stage"));
  EXPECT_FALSE(Has(Kind::Secret, "storage", "stage", "n2"));
  EXPECT_FALSE(Has(Kind::Secret, "storage", "control"));
  EXPECT_TRUE(Has(Kind::VolumeAttachment, "", "va"));
  EXPECT_FALSE(Has(Kind::VolumeAttachment, "", "va", "n2"));
  EXPECT_FALSE(Has(Kind::ResourceSlice, "", "none"));
}

TEST_F(NodeReferencesTest, AMirrorPodGivesNothingThroughItsClaimsEither) {
  const std::string mirror = R"(,"annotations":{"kubernetes.io/config.mirror":"x"})";
  fixture_.Put(fixture_.Of("pods"), "ns", "m",
               R"(,"spec":{"nodeName":"n2","serviceAccountName":"robot","volumes":[)"
               R"({"name":"e","persistentVolumeClaim":{"claimName":"claim"}}],"resourceClaims":)"
               R"([{"name":"g","resourceClaimName":"gpu"}]})",
               mirror);
  EXPECT_FALSE(Has(Kind::ServiceAccount, "ns", "robot", "n2"));
  EXPECT_FALSE(Has(Kind::ResourceClaim, "ns", "gpu", "n2"));
  EXPECT_FALSE(Has(Kind::PersistentVolumeClaim, "ns", "claim", "n2"));
  EXPECT_FALSE(Has(Kind::PersistentVolume, "", "pv1", "n2"));
  EXPECT_FALSE(Has(Kind::Secret, "storage", "stage", "n2"));
  EXPECT_TRUE(Has(Kind::Pod, "ns", "m", "n2"));
}

TEST_F(NodeReferencesTest, AClaimThatNamesTheVolumeOfAnotherClaimGivesNothing) {
  fixture_.Put(fixture_.Of("persistentvolumeclaims"), "ns", "thief",
               R"(,"spec":{"volumeName":"pv1"})");
  fixture_.Put(fixture_.Of("pods"), "ns", "q",
               R"(,"spec":{"nodeName":"n2","volumes":[)"
               R"({"name":"e","persistentVolumeClaim":{"claimName":"thief"}}]})");
  EXPECT_TRUE(Has(Kind::PersistentVolumeClaim, "ns", "thief", "n2"));
  EXPECT_FALSE(Has(Kind::PersistentVolume, "", "pv1", "n2"));
  EXPECT_FALSE(Has(Kind::Secret, "storage", "stage", "n2"));
}

TEST_F(NodeReferencesTest, AStatusGivesOnlyClaimsThatWereMadeForTheSpec) {
  fixture_.Put(fixture_.Of("pods"), "ns", "q",
               R"(,"spec":{"nodeName":"n2","resourceClaims":[{"name":"t",)"
               R"("resourceClaimTemplateName":"t"},{"name":"d","resourceClaimName":"direct"}]},)"
               R"("status":{"resourceClaimStatuses":[{"name":"t","resourceClaimName":"made-t"},)"
               R"({"name":"d","resourceClaimName":"victim"},)"
               R"({"name":"x","resourceClaimName":"other"}]})");
  EXPECT_TRUE(Has(Kind::ResourceClaim, "ns", "made-t", "n2"));
  EXPECT_TRUE(Has(Kind::ResourceClaim, "ns", "direct", "n2"));
  EXPECT_FALSE(Has(Kind::ResourceClaim, "ns", "victim", "n2"));
  EXPECT_FALSE(Has(Kind::ResourceClaim, "ns", "other", "n2"));
}

TEST_F(NodeReferencesTest, ANameThatIsASelectorFindsNothing) {
  EXPECT_FALSE(Has(Kind::ServiceAccount, "ns", "robot", "n2,spec.nodeName=n1"));
}

TEST(RefersToTest, AMirrorPodGivesNothing) {
  const auto pod =
      codec::ParseJson(R"({"metadata":{"annotations":{"kubernetes.io/config.mirror":"x"}},)"
                       R"("spec":{"serviceAccountName":"robot"}})");
  EXPECT_FALSE(RefersTo((*pod)->root(), Kind::ServiceAccount, "robot"));
}

TEST(VolumeNeedsSecretTest, TheNamespaceIsTheClaimsUnlessGiven) {
  const auto volume =
      codec::ParseJson(R"({"spec":{"claimRef":{"namespace":"ns"},"azureFile":{"secretName":"a"},)"
                       R"("rbd":{"secretRef":{"name":"r","namespace":"other"}}}})");
  EXPECT_TRUE(VolumeNeedsSecret((*volume)->root(), "ns", "a"));
  EXPECT_FALSE(VolumeNeedsSecret((*volume)->root(), "other", "a"));
  EXPECT_TRUE(VolumeNeedsSecret((*volume)->root(), "other", "r"));
  EXPECT_FALSE(VolumeNeedsSecret((*volume)->root(), "ns", "r"));
}

}  // namespace
}  // namespace plimsoll::apiserver
