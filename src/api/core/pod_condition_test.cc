#include "api/core/pod_condition.h"

#include <gtest/gtest.h>

#include "codec/yaml.h"

namespace plimsoll::api {
namespace {

std::shared_ptr<const Object> Pod(std::string_view status) {
  auto documents = codec::ParseYaml("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nstatus: " +
                                    std::string(status));
  return DecodeObject(std::shared_ptr<codec::Document>(std::move(documents->front())))->object;
}

TEST(FindConditionTest, FindsByType) {
  const auto pod =
      Pod("{conditions: [{type: A, status: 'True'}, {type: B, status: 'False', reason: R,"
          " message: M, lastTransitionTime: '2026-03-01T12:00:00Z'}]}");
  const auto found = FindCondition(*pod, "B");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->status, "False");
  EXPECT_EQ(found->reason, "R");
  EXPECT_EQ(found->message, "M");
  EXPECT_EQ(found->last_transition_time, "2026-03-01T12:00:00Z");
  EXPECT_EQ(FindCondition(*pod, "A")->reason, "");
  EXPECT_FALSE(FindCondition(*pod, "C"));
  EXPECT_FALSE(FindCondition(*Pod("{}"), "A"));
}

}  // namespace
}  // namespace plimsoll::api
