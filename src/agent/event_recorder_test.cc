#include "agent/event_recorder.h"

#include <gtest/gtest.h>

#include "agent/limits.h"
#include "agent/parts_for_test.h"

namespace plimsoll::agent {
namespace {

class EventRecorderTest : public PartsForTest, public testing::Test {
 protected:
  void Record(EventType type) {
    recorder_.Record(node_.object, node_, {{}, type, "Reason", "text"}, {}, Now());
  }
  EventRecorder recorder_{1, 2};
};

TEST_F(EventRecorderTest, OnlyNormalEventsAreLimited) {
  for (int i = 0; i < 5; ++i) Record(EventType::Normal);
  EXPECT_EQ(Take<RecordEvent>().size(), 2U);
  for (int i = 0; i < 5; ++i) Record(EventType::Warning);
  EXPECT_EQ(Take<RecordEvent>().size(), 5U);
  now_ += std::chrono::seconds(1);
  for (int i = 0; i < 5; ++i) Record(EventType::Normal);
  EXPECT_EQ(Take<RecordEvent>().size(), 1U);
}

TEST_F(EventRecorderTest, ASilentNodeRecordsNothing) {
  node_.is_silent = true;
  Record(EventType::Warning);
  EXPECT_TRUE(actions_.empty());
}

TEST_F(EventRecorderTest, WarnsOfALimitedNumberOfDeprecatedAnnotations) {
  std::string annotations;
  for (std::size_t i = 0; i < kDeprecatedKeysMax + 20; ++i) {
    annotations += (i == 0 ? "\"" : ",\"") + std::string("plimsoll.dev/run-for.") +
                   std::to_string(i) + R"(":"1s")";
  }
  const ObjectPtr pod = APod(R"("annotations":{)" + annotations + "},");
  recorder_.WarnOfDeprecatedAnnotations(pod, node_, Now());
  EXPECT_EQ(Take<RecordEvent>().size(), kDeprecatedKeysMax);
  recorder_.WarnOfDeprecatedAnnotations(pod, node_, Now());
  EXPECT_TRUE(actions_.empty());
}

}  // namespace
}  // namespace plimsoll::agent
