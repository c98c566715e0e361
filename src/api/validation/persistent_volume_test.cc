#include "api/validation/persistent_volume.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"
#include "api/validation/persistent_volume_claim.h"
#include "api/validation/storage_checks.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const Object> VolumeWith(const std::string& members) {
  return ObjectFrom(R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v",)"
                    R"("resourceVersion":"1"},"spec":{"capacity":{"storage":"1Gi"},)"
                    R"("accessModes":["ReadWriteOnce"],)" +
                    members + "}}");
}

std::vector<std::string> Create(const std::string& members, const ValidationContext& context = {}) {
  return Texts(
      ValidatePersistentVolumeCreate(*VolumeWith(members)->As<PersistentVolume>(), context));
}

constexpr std::string_view kCsi = R"("csi":{"driver":"d","volumeHandle":"h"})";

TEST(PersistentVolumeTest, HasOneSource) {
  EXPECT_THAT(Create(std::string(kCsi)), IsEmpty());
  EXPECT_THAT(Create(R"("volumeMode":"Block")"),
              ElementsAre("spec: Required value: must specify a volume type"));
  EXPECT_THAT(Create(R"("hostPath":{"path":"/a"},)" + std::string(kCsi)),
              ElementsAre("spec.csi: Forbidden: may not specify more than 1 volume type"));
  EXPECT_THAT(
      Create(R"("local":{"path":"/a"})"),
      ElementsAre("spec.nodeAffinity: Required value: Local volume requires node affinity"));
}

TEST(PersistentVolumeTest, SizesAndModes) {
  EXPECT_THAT(Create(R"("capacity":{"cpu":"0"},"accessModes":["x"],)" + std::string(kCsi)),
              ElementsAre("spec.accessModes: Unsupported value: \"x\": supported values: "
                          "\"ReadOnlyMany\", \"ReadWriteMany\", \"ReadWriteOnce\", "
                          "\"ReadWriteOncePod\"",
                          "spec.capacity: Unsupported value: {\"cpu\":\"0\"}: supported values: "
                          "\"storage\"",
                          "spec.capacity[cpu]: Invalid value: \"0\": must be greater than zero"));
}

std::string WithVersion(const std::string& version) {
  return std::string(kCsi) +
         R"(,"nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[)"
         R"({"key":"k","operator":"SemverGt","values":[")" +
         version + R"("]}]}]}})";
}

TEST(PersistentVolumeTest, VersionsFollowTheirGateOrTheOldObject) {
  const ValidationContext off =
      ContextWithout({Feature::TaintTolerationNodeAffinitySemverComparisonOperators});
  EXPECT_THAT(Create(WithVersion("1.2")), IsEmpty());
  EXPECT_THAT(Create(WithVersion("1.2"), off), ElementsAre(HasSubstr("not a valid selector")));
  ValidationContext mutable_off = off;
  mutable_off.gates.Set(Feature::MutablePVNodeAffinity, true);
  const auto before = VolumeWith(WithVersion("1.2"));
  const auto now = VolumeWith(WithVersion("1.3"));
  EXPECT_THAT(Texts(ValidatePersistentVolumeUpdate(*now->As<PersistentVolume>(),
                                                   *before->As<PersistentVolume>(), mutable_off)),
              IsEmpty());
}

TEST(PersistentVolumeTest, TheSourceStays) {
  const auto before = VolumeWith(std::string(kCsi));
  const auto now = VolumeWith(R"("csi":{"driver":"e","volumeHandle":"h",)"
                              R"("controllerExpandSecretRef":{"name":"s","namespace":"n"}})");
  EXPECT_THAT(Texts(ValidatePersistentVolumeUpdate(*now->As<PersistentVolume>(),
                                                   *before->As<PersistentVolume>(), {})),
              ElementsAre("spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is "
                          "immutable after creation\nspec.csi.driver: \"d\" -> \"e\"\n"));
}

std::shared_ptr<const Object> ClaimWith(const std::string& members,
                                        const std::string& status = "{}") {
  return ObjectFrom(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c",)"
                    R"("namespace":"n","resourceVersion":"1"},"spec":{)"
                    R"("accessModes":["ReadWriteOnce"],)" +
                    members + R"(},"status":)" + status + "}");
}

std::string Size(const std::string& size) {
  return R"("resources":{"requests":{"storage":")" + size + R"("}})";
}

std::vector<std::string> UpdateClaim(const std::shared_ptr<const Object>& before,
                                     const std::shared_ptr<const Object>& now) {
  return Texts(ValidatePersistentVolumeClaimUpdate(*now->As<PersistentVolumeClaim>(),
                                                   *before->As<PersistentVolumeClaim>()));
}

TEST(PersistentVolumeClaimTest, AsksForSomething) {
  const auto empty = ClaimWith(R"("accessModes":["ReadWriteOncePod","ReadOnlyMany"])");
  EXPECT_THAT(
      Texts(ValidatePersistentVolumeClaimCreate(*empty->As<PersistentVolumeClaim>())),
      ElementsAre("spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access "
                  "modes",
                  "spec.resources[storage]: Required value"));
}

TEST(PersistentVolumeClaimTest, OnlyABoundOneMayGrow) {
  const std::string bound = R"({"phase":"Bound","capacity":{"storage":"2Gi"}})";
  EXPECT_THAT(UpdateClaim(ClaimWith(Size("1Gi"), bound), ClaimWith(Size("2Gi"), bound)), IsEmpty());
  EXPECT_THAT(
      UpdateClaim(ClaimWith(Size("1Gi")), ClaimWith(Size("2Gi"))),
      ElementsAre("spec: Forbidden: spec is immutable after creation except resources.requests and "
                  "volumeAttributesClassName for bound claims\n"
                  "spec.resources.requests.storage: \"1Gi\" -> \"2Gi\"\n"));
  EXPECT_THAT(UpdateClaim(ClaimWith(Size("5Gi"), bound), ClaimWith(Size("2Gi"), bound)),
              ElementsAre("spec.resources.requests.storage: Forbidden: field can not be less than "
                          "status.capacity"));
  EXPECT_THAT(UpdateClaim(ClaimWith(Size("5Gi"), bound), ClaimWith(Size("3Gi"), bound)), IsEmpty());
}

TEST(PersistentVolumeClaimTest, AVolumeAndAClassAreGivenOnce) {
  EXPECT_THAT(UpdateClaim(ClaimWith(Size("1Gi")),
                          ClaimWith(R"("volumeName":"v","storageClassName":"s",)" + Size("1Gi"))),
              IsEmpty());
  EXPECT_THAT(UpdateClaim(ClaimWith(R"("volumeName":"v",)" + Size("1Gi")),
                          ClaimWith(R"("volumeName":"w",)" + Size("1Gi"))),
              ElementsAre(HasSubstr("spec.volumeName: \"v\" -> \"w\"")));
}

}  // namespace
}  // namespace plimsoll::api
