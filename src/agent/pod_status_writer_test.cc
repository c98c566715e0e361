#include "agent/pod_status_writer.h"

#include <gtest/gtest.h>

#include "agent/parts_for_test.h"

namespace plimsoll::agent {
namespace {

using std::chrono::seconds;

class PodStatusWriterTest : public PartsForTest, public testing::Test {
 protected:
  void Write(PodRecord& pod) { pod.writer.Write(pod, writes_, Now()); }
  /// A pod that is rejected: it has ended.
  PodRecord& Rejected(const std::string& metadata) {
    PodRecord& pod = Living(APod(metadata));
    pod.state = PodRecord::State::Refused;
    pod.refusal = Refusal{.reason = "OutOfcpu", .message = "no cpu"};
    return pod;
  }
  PendingActions<PodWrite> writes_{next_action_};
};

TEST_F(PodStatusWriterTest, OneWriteIsInFlightAndLaterChangesShareTheNext) {
  PodRecord& pod = Living(APod());
  Write(pod);
  EXPECT_TRUE(actions_.empty());
  pod.writer.MarkChanged();
  Write(pod);
  const auto first = Take<PatchObject>();
  ASSERT_EQ(first.size(), 1U);
  pod.writer.MarkChanged();
  pod.writer.MarkChanged();
  Write(pod);
  EXPECT_TRUE(actions_.empty());
  pod.writer.Finish(writes_.Finish(first[0].id)->kind, {}, now_);
  Write(pod);
  EXPECT_EQ(Take<PatchObject>().size(), 1U);
}

TEST_F(PodStatusWriterTest, AFailedWriteIsRepeatedLater) {
  PodRecord& pod = Living(APod());
  pod.writer.MarkChanged();
  Write(pod);
  Take<PatchObject>();
  pod.writer.Finish(PodWrite::Kind::Status, Fail(Reason::InternalError, "refused"), now_);
  Write(pod);
  EXPECT_TRUE(actions_.empty());
  ASSERT_TRUE(pod.writer.NextWake());
  now_ = *pod.writer.NextWake();
  pod.writer.Wake(pod, now_);
  Write(pod);
  EXPECT_EQ(Take<PatchObject>().size(), 1U);
}

TEST_F(PodStatusWriterTest, ADeletedPodThatEndedIsDeletedWithoutAStatus) {
  PodRecord& pod =
      Rejected(R"("deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":30,)");
  pod.writer.MarkChanged();
  Write(pod);
  const auto deletes = Take<DeleteObject>();
  ASSERT_EQ(deletes.size(), 1U);
  EXPECT_TRUE(actions_.empty());
  pod.writer.Finish(PodWrite::Kind::Delete, {}, now_);
  Write(pod);
  EXPECT_TRUE(actions_.empty());
}

TEST_F(PodStatusWriterTest, AFinalizerGetsTheLastStatusFirst) {
  PodRecord& pod = Rejected(R"("finalizers":["a/b"],"deletionTimestamp":"2026-01-01T00:00:00Z",)"
                            R"("deletionGracePeriodSeconds":30,)");
  pod.writer.MarkChanged();
  Write(pod);
  EXPECT_EQ(Take<PatchObject>().size(), 1U);
  pod.writer.Finish(PodWrite::Kind::Status, {}, now_);
  Write(pod);
  EXPECT_EQ(Take<DeleteObject>().size(), 1U);
}

TEST_F(PodStatusWriterTest, TheServerDeletesAPodWithoutGraceUnlessItIsLate) {
  PodRecord& pod =
      Rejected(R"("deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":0,)");
  Write(pod);
  EXPECT_TRUE(actions_.empty());
  now_ += seconds(1);
  pod.writer.Wake(pod, now_);
  Write(pod);
  EXPECT_EQ(Take<DeleteObject>().size(), 1U);
}

TEST_F(PodStatusWriterTest, TheOutcomeOfACancelledWriteIsIgnored) {
  PodRecord& pod = Living(APod());
  pod.writer.MarkChanged();
  Write(pod);
  pod.writer.Cancel(writes_);
  EXPECT_EQ(writes_.Finish(Take<PatchObject>().at(0).id), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::agent
