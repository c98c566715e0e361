#include "match/volume_claim.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "api/decode/decode_json_for_test.h"

namespace plimsoll::match {
namespace {

using api::DecodeJson;
using api::PersistentVolume;
using api::PersistentVolumeClaim;

std::shared_ptr<const api::Object> Volume(const std::string& spec,
                                          const std::string& phase = "Available",
                                          const std::string& metadata = "") {
  return DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"pv",)" +
                    metadata + R"("labels":{"tier":"gold"}},"spec":{"storageClassName":"fast",)" +
                    spec + R"("capacity":{"storage":"10Gi"},"accessModes":["ReadWriteOnce",)" +
                    R"("ReadOnlyMany"]},"status":{"phase":")" + phase + R"("}})");
}

std::shared_ptr<const api::Object> Claim(const std::string& spec,
                                         const std::string& metadata = "") {
  return DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data",
    "namespace":"s","uid":"u",)" +
                    metadata + R"("labels":{}},"spec":{"storageClassName":"fast",)" + spec +
                    R"("accessModes":["ReadWriteOnce"]}})");
}

struct FitCase {
  std::string name;
  std::string volume;
  std::string claim;
  Fit want;
  std::string phase = "Available";
  std::string metadata;  // of the volume
};

TEST(ClaimMatcherTest, HoldsAVolumeAgainstAClaim) {
  const std::string five = R"("resources":{"requests":{"storage":"5Gi"}},)";
  const std::string ours = R"("claimRef":{"namespace":"s","name":"data","uid":"u"},)";
  const std::vector<FitCase> cases{
      {"Plain", "", five, Fit::Free},
      {"JustLargeEnough", "", R"("resources":{"requests":{"storage":"10Gi"}},)", Fit::Free},
      {"TooSmall", "", R"("resources":{"requests":{"storage":"10241Mi"}},)", Fit::No},
      {"NoSizeAskedFor", "", "", Fit::Free},
      {"NotAvailable", "", five, Fit::No, "Released"},
      {"PhaseNotSet", "", five, Fit::No, ""},
      {"BlockForFilesystem", R"("volumeMode":"Block",)", five, Fit::No},
      {"BlockForBlock", R"("volumeMode":"Block",)", R"("volumeMode":"Block",)" + five, Fit::Free},
      {"FilesystemIsTheDefault", R"("volumeMode":"Filesystem",)", five, Fit::Free},
      {"Labels", "", R"("selector":{"matchLabels":{"tier":"gold"}},)", Fit::Free},
      {"OtherLabels", "", R"("selector":{"matchLabels":{"tier":"tin"}},)", Fit::No},
      {"AttributesClass", R"("volumeAttributesClassName":"x",)", five, Fit::No},
      {"Deleted", "", five, Fit::No, "Available", R"("deletionTimestamp":"2026-01-01T00:00:00Z",)"},
      {"Reserved", ours, five, Fit::Reserved},
      {"ReservedInAnyPhase", ours, five, Fit::Reserved, "Bound"},
      {"ReservedByName", R"("claimRef":{"namespace":"s","name":"data"},)", five, Fit::Reserved},
      {"ReservedForAnotherUid", R"("claimRef":{"namespace":"s","name":"data","uid":"v"},)", five,
       Fit::No},
      {"ReservedForAnother", R"("claimRef":{"namespace":"t","name":"data"},)", five, Fit::No},
      {"ReservedAndTooSmall", ours, R"("resources":{"requests":{"storage":"20Gi"}},)", Fit::No},
      {"ReservedWhateverTheLabels", ours, R"("selector":{"matchLabels":{"tier":"tin"}},)",
       Fit::Reserved},
  };
  for (const FitCase& test : cases) {
    const auto volume = Volume(test.volume, test.phase, test.metadata);
    const auto claim = Claim(test.claim);
    const auto matcher = ClaimMatcher::Make(*claim->As<PersistentVolumeClaim>());
    ASSERT_TRUE(matcher.has_value()) << test.name;
    const PersistentVolume& v = *volume->As<PersistentVolume>();
    EXPECT_EQ(matcher->Check(v, v.spec.claim_ref), test.want) << test.name;
  }
}

TEST(ClaimMatcherTest, SaysWhoseSelectorCannotBeRead) {
  const auto claim = Claim(R"("selector":{"matchExpressions":[{"key":"a","operator":"Like"}]},)");
  const auto matcher = ClaimMatcher::Make(*claim->As<PersistentVolumeClaim>());
  ASSERT_FALSE(matcher.has_value());
  EXPECT_EQ(matcher.error().message,
            "error creating internal label selector for claim: s/data: \"Like\" is not a valid "
            "label selector operator");
}

TEST(VolumeClaimTest, TheOldAnnotationOfAClassWins) {
  const std::string annotation =
      R"("annotations":{"volume.beta.kubernetes.io/storage-class":"old"},)";
  const auto volume = Volume("", "Available", annotation);
  const auto claim = Claim("", annotation);
  EXPECT_EQ(ClassOf(*volume->As<PersistentVolume>()), "old");
  EXPECT_EQ(ClassOf(*claim->As<PersistentVolumeClaim>()), "old");
}

TEST(VolumeClaimTest, AllModesThatAreAskedForMustBeThere) {
  const auto volume = Volume("");
  const auto once = Claim("");
  const auto many = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","spec":{
    "accessModes":["ReadWriteOnce","ReadWriteMany"]}})");
  const PersistentVolume& v = *volume->As<PersistentVolume>();
  EXPECT_TRUE(HasAccessModes(v, *once->As<PersistentVolumeClaim>()));
  EXPECT_FALSE(HasAccessModes(v, *many->As<PersistentVolumeClaim>()));
}

TEST(VolumeClaimTest, ABoundClaimHasAVolumeAndTheControllersWord) {
  const std::string done = R"("annotations":{"pv.kubernetes.io/bind-completed":"yes"},)";
  EXPECT_TRUE(IsFullyBound(*Claim(R"("volumeName":"v",)", done)->As<PersistentVolumeClaim>()));
  EXPECT_FALSE(IsFullyBound(*Claim(R"("volumeName":"v",)")->As<PersistentVolumeClaim>()));
  EXPECT_FALSE(IsFullyBound(*Claim("", done)->As<PersistentVolumeClaim>()));
}

}  // namespace
}  // namespace plimsoll::match
