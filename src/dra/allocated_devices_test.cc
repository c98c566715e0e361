#include "dra/allocated_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dra/device_cluster_for_test.h"

namespace plimsoll::dra {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class AllocatedDevicesTest : public testing::Test {
 protected:
  AllocatedDevicesTest() {
    tracker_.Observe({nullptr, SliceYaml("s", "p", "nodeName: n1", "[{name: d0}, {name: d1}]")});
    allocated_.Publish(*tracker_.FindPool("gpu.example.com", "p"));
  }
  DeviceId Id(std::string_view device) const {
    return tracker_.FindDevice("gpu.example.com", "p", device)->id;
  }
  static api::AllocationResult Of(std::string_view device, std::string_view share_id = {}) {
    api::AllocationResult allocation;
    api::DeviceResult& result = allocation.results.emplace_back();
    result.driver = "gpu.example.com";
    result.pool = "p";
    result.device = device;
    result.share_id = share_id;
    if (!share_id.empty()) result.consumed_capacity = {{"memory", *Quantity::Parse("4Gi")}};
    return allocation;
  }

  DeviceSelectors selectors_;
  SliceTracker tracker_{selectors_, {}};
  AllocatedDevices allocated_;
};

TEST_F(AllocatedDevicesTest, TellsWhichPoolsHaveChanged) {
  const auto d0 = Of("d0");
  EXPECT_THAT(allocated_.Set("a", &d0), ElementsAre("gpu.example.com/p"));
  EXPECT_THAT(allocated_.Set("a", &d0), IsEmpty());
  EXPECT_TRUE(allocated_.IsExclusive(Id("d0")));
  EXPECT_FALSE(allocated_.IsTaken(Id("d1")));
  const auto d1 = Of("d1");
  EXPECT_THAT(allocated_.Set("a", &d1), ElementsAre("gpu.example.com/p"));
  EXPECT_FALSE(allocated_.IsTaken(Id("d0")));
  EXPECT_THAT(allocated_.Set("a", nullptr), ElementsAre("gpu.example.com/p"));
  EXPECT_THAT(allocated_.Set("a", nullptr), IsEmpty());
  EXPECT_EQ(allocated_.claims(), 0U);
}

TEST_F(AllocatedDevicesTest, TwoClaimsOnOneDeviceCountTwice) {
  const auto d0 = Of("d0");
  allocated_.Set("a", &d0);
  allocated_.Set("b", &d0);
  allocated_.Set("a", nullptr);
  EXPECT_TRUE(allocated_.IsExclusive(Id("d0")));
}

TEST_F(AllocatedDevicesTest, SharesAddUpUntilTheLastIsGone) {
  const auto one = Of("d0", "1");
  const auto two = Of("d0", "2");
  allocated_.Set("a", &one);
  allocated_.Set("b", &two);
  EXPECT_FALSE(allocated_.IsExclusive(Id("d0")));
  EXPECT_TRUE(allocated_.IsTaken(Id("d0")));
  ASSERT_NE(allocated_.Consumed(Id("d0")), nullptr);
  EXPECT_EQ((*allocated_.Consumed(Id("d0")))[0].value.Text(), "8Gi");
  allocated_.Set("a", nullptr);
  EXPECT_EQ((*allocated_.Consumed(Id("d0")))[0].value.Text(), "4Gi");
  allocated_.Set("b", nullptr);
  EXPECT_EQ(allocated_.Consumed(Id("d0")), nullptr);
}

TEST_F(AllocatedDevicesTest, AdministratorsTakeNothing) {
  auto d0 = Of("d0");
  d0.results[0].admin_access = true;
  EXPECT_THAT(allocated_.Set("a", &d0), IsEmpty());
  EXPECT_FALSE(allocated_.IsTaken(Id("d0")));
}

TEST_F(AllocatedDevicesTest, WhatIsPublishedAgainIsStillTaken) {
  const auto d0 = Of("d0");
  allocated_.Set("a", &d0);
  allocated_.Withdraw("gpu.example.com/p");
  EXPECT_FALSE(allocated_.IsTaken(Id("d0")));
  allocated_.Publish(*tracker_.FindPool("gpu.example.com", "p"));
  EXPECT_TRUE(allocated_.IsExclusive(Id("d0")));
  allocated_.Withdraw("gpu.example.com/unknown");
}

}  // namespace
}  // namespace plimsoll::dra
