#include "agent/volume_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/parts_for_test.h"

namespace plimsoll::agent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class VolumeManagerTest : public PartsForTest, public testing::Test {
 protected:
  PodRecord& Waiting() {
    PodRecord& pod = Living(
        APod("", R"("volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data"}}],)"));
    pod.life.Hold();
    volumes_.Add(pod);
    return pod;
  }
  /// Answers the read of the claim and, if it succeeds, that of the volume.
  void AnswerReads(const std::string& allowed_label = "") {
    const auto claim = Take<GetObject>();
    ASSERT_EQ(claim.size(), 1U);
    volumes_.Finish(
        Success(claim[0].id,
                api::DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":)"
                                R"({"name":"data","namespace":"default"},"spec":{"volumeName":)"
                                R"("disk"},"status":{"phase":"Bound"}})")),
        Now());
    const auto volume = Take<GetObject>();
    ASSERT_EQ(volume.size(), 1U);
    const std::string affinity =
        allowed_label.empty()
            ? ""
            : R"("nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":")" +
                  allowed_label + R"(","operator":"Exists"}]}]}})";
    volumes_.Finish(
        Success(volume[0].id, api::DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume",)"
                                              R"("metadata":{"name":"disk"},"spec":{)" +
                                              affinity + "}}")),
        Now());
  }

  match::Rules rules_;
  std::vector<std::uint64_t> usable_;
  VolumeManager volumes_{
      rules_, next_action_, events_,
      [this](std::uint64_t pod, const Turn& /*turn*/) { usable_.push_back(pod); }};
};

TEST_F(VolumeManagerTest, APodWithoutVolumeClaimsNeedNotWait) {
  PodRecord& pod = Living(APod());
  volumes_.Add(pod);
  EXPECT_TRUE(volumes_.AreUsable(pod));
  volumes_.Read(pod, Now());
  EXPECT_TRUE(actions_.empty());
}

TEST_F(VolumeManagerTest, VolumesAreUsableOnceTheyWereRead) {
  PodRecord& pod = Waiting();
  EXPECT_FALSE(volumes_.AreUsable(pod));
  volumes_.Read(pod, Now());
  volumes_.Read(pod, Now());
  AnswerReads();
  EXPECT_THAT(usable_, ElementsAre(pod.number()));
  EXPECT_TRUE(volumes_.AreUsable(pod));
  EXPECT_EQ(volumes_.NextWake(), std::nullopt);
}

TEST_F(VolumeManagerTest, AVolumeThatExcludesTheNodeIsReportedOnceAndReadAgain) {
  PodRecord& pod = Waiting();
  volumes_.Read(pod, Now());
  AnswerReads("ssd");
  EXPECT_EQ(Take<RecordEvent>().size(), 1U);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(volumes_.NextWake());
    now_ = *volumes_.NextWake();
    volumes_.Wake(Now());
    AnswerReads("ssd");
  }
  EXPECT_THAT(Take<RecordEvent>(), IsEmpty());
  node_.object = api::DecodeJson(NodeJson("n", R"("ssd":"yes")"));
  volumes_.ObserveNodeLabels(neighbours_.pods, Now());
  AnswerReads("ssd");
  EXPECT_THAT(usable_, ElementsAre(pod.number()));
}

TEST_F(VolumeManagerTest, NewLabelsRepeatAReadInFlight) {
  PodRecord& pod = Waiting();
  volumes_.Read(pod, Now());
  volumes_.ObserveNodeLabels(neighbours_.pods, Now());
  const auto reads = Take<GetObject>();
  ASSERT_EQ(reads.size(), 1U);
  volumes_.Finish(Failure(reads[0].id, Reason::NotFound), Now());
  EXPECT_THAT(Take<RecordEvent>(), IsEmpty());
  AnswerReads();
  EXPECT_THAT(usable_, ElementsAre(pod.number()));
}

TEST_F(VolumeManagerTest, AForgottenPodReadsNothing) {
  PodRecord& pod = Waiting();
  volumes_.Read(pod, Now());
  volumes_.Forget(pod);
  EXPECT_FALSE(volumes_.Finish(Success(Take<GetObject>().at(0).id), Now()));
  EXPECT_EQ(volumes_.NextWake(), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::agent
