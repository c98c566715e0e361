#include "controller/threshold_metrics/toleration_classes.h"

#include <gtest/gtest.h>

namespace plimsoll::controller {
namespace {

api::Toleration Make(std::string_view key, std::string_view value) {
  api::Toleration toleration;
  toleration.key = key;
  toleration.op = "Lt";
  toleration.value = value;
  return toleration;
}

TEST(TolerationClassesTest, NumbersDistinctLists) {
  const std::vector<api::Toleration> one = {Make("a", "1")};
  const std::vector<api::Toleration> same = {Make("a", "1")};
  const std::vector<api::Toleration> other = {Make("a", "2")};
  const std::vector<api::Toleration> shifted = {Make("a1", "")};
  std::vector<api::Toleration> timed = {Make("a", "1")};
  timed[0].toleration_seconds = 30;
  TolerationClasses classes;
  EXPECT_EQ(classes.Add(one), 0u);
  EXPECT_EQ(classes.Add(same), 0u);
  EXPECT_EQ(classes.Add(other), 1u);
  EXPECT_EQ(classes.Add(shifted), 2u);
  EXPECT_EQ(classes.Add(timed), 3u);
  EXPECT_EQ(classes.Add({}), 4u);
  EXPECT_EQ(classes.size(), 5u);
  EXPECT_EQ(classes[1].front().value, "2");
}

}  // namespace
}  // namespace plimsoll::controller
