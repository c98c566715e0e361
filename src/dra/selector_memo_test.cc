#include "dra/selector_memo.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace plimsoll::dra {
namespace {

constexpr std::string_view kModel = R"(device.attributes["d"].model == "A100")";
constexpr std::string_view kWorn = R"(device.attributes["d"].errors > 5)";

class SelectorMemoTest : public testing::Test {
 protected:
  /// Returns a device that differs from all others in its serial number.
  api::Device& Gpu(std::string_view model, std::int64_t errors) {
    api::Device& device = devices_.emplace_back();
    device.facts.driver = "d";
    device.facts.attributes = {{"errors", errors},
                               {"model", model},
                               {"serial", static_cast<std::int64_t>(devices_.size())}};
    return device;
  }
  SelectorMemo::ListId Acquire(std::vector<std::string_view> expressions) {
    return memo_.Acquire(expressions);
  }

  DeviceSelectors selectors_;
  SelectorMemo memo_{selectors_};
  std::deque<api::Device> devices_;
};

TEST_F(SelectorMemoTest, EvaluatesOncePerLook) {
  for (std::uint32_t i = 0; i < 100; ++i) memo_.Put(i, Gpu(i % 2 == 0 ? "A100" : "H100", i % 10));
  const auto model = Acquire({kModel});
  const auto worn = Acquire({kModel, kWorn});
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(memo_.Matches(model, i), i % 2 == 0);
    EXPECT_EQ(memo_.Matches(worn, i), i % 2 == 0 && i % 10 > 5);
  }
  EXPECT_EQ(memo_.evaluations(), 1u + 5u) << "a model that is none of the two is not looked at";
}

TEST_F(SelectorMemoTest, FollowsADeviceThatChanges) {
  const auto model = Acquire({kModel});
  EXPECT_TRUE(memo_.Put(0, Gpu("A100", 0)));
  EXPECT_TRUE(memo_.Matches(model, 0));
  const api::Device same = devices_.back();
  EXPECT_FALSE(memo_.Put(0, same));
  EXPECT_TRUE(memo_.Put(0, Gpu("H100", 0)));
  EXPECT_FALSE(memo_.Matches(model, 0));
  memo_.Clear(0);
  EXPECT_TRUE(memo_.Put(0, Gpu("L4", 0)));
  EXPECT_FALSE(memo_.Matches(model, 0)) << "the number of a value that is gone is not used again";
  EXPECT_TRUE(memo_.Put(0, Gpu("A100", 0)));
  EXPECT_TRUE(memo_.Matches(model, 0));
}

TEST_F(SelectorMemoTest, ListsAreShared) {
  memo_.Put(0, Gpu("A100", 0));
  const auto first = Acquire({kModel});
  EXPECT_EQ(Acquire({kModel}), first);
  EXPECT_NE(Acquire({kModel, kModel}), first);
  EXPECT_TRUE(memo_.Matches(first, 0));
  memo_.Release(first);
  EXPECT_TRUE(memo_.Matches(first, 0));
  EXPECT_EQ(memo_.evaluations(), 1u);
  memo_.Release(first);
  EXPECT_TRUE(memo_.Matches(Acquire({kModel}), 0));
  EXPECT_EQ(memo_.evaluations(), 2u);
}

TEST_F(SelectorMemoTest, AnswersForListsAndDevicesThatCannotBeEvaluated) {
  memo_.Put(0, Gpu("A100", 0));
  api::Device& broken = Gpu("A100", 0);
  broken.facts.attributes[2].value = std::monostate{};
  memo_.Put(1, broken);
  EXPECT_TRUE(memo_.Matches(Acquire({}), 1)) << "nothing is asked";
  EXPECT_FALSE(memo_.Matches(Acquire({kModel}), 1));
  EXPECT_FALSE(memo_.Matches(Acquire({"device."}), 0));
  EXPECT_FALSE(memo_.Matches(Acquire({"device.driver"}), 0));
}

TEST_F(SelectorMemoTest, ManyValuesAndManyFactsAreStillRight) {
  const auto serial = Acquire({R"(device.attributes["d"].serial % 2 == 0)"});
  const auto many = Acquire({R"(device.driver == "d" && !device.allowMultipleAllocations)",
                             R"(device.attributes["d"].serial > 0)", kModel, kWorn});
  for (std::uint32_t i = 0; i < 3000; ++i) memo_.Put(i, Gpu(i % 3 == 0 ? "A100" : "H100", i % 10));
  for (const int round : {1, 2}) {
    for (std::uint32_t i = 0; i < 3000; ++i) {
      ASSERT_EQ(memo_.Matches(serial, i), i % 2 == 1) << i << " in round " << round;
      ASSERT_EQ(memo_.Matches(many, i), i % 3 == 0 && i % 10 > 5) << i << " in round " << round;
    }
  }
}

}  // namespace
}  // namespace plimsoll::dra
