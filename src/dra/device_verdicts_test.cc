#include "dra/device_verdicts.h"

#include <gtest/gtest.h>

#include "dra/device_cluster_for_test.h"
#include "dra/eviction_time.h"

namespace plimsoll::dra {
namespace {

class DeviceVerdictsTest : public testing::Test {
 protected:
  DeviceVerdictsTest() {
    tracker_.Observe(
        {nullptr,
         SliceYaml("s", "p", "nodeName: n1",
                   "[{name: d0, attributes: {model: {string: a}}, taints: [{key: k, value: v, "
                   "effect: None}, {key: hot, effect: NoSchedule}]}, {name: d1}]")});
  }
  const TrackedDevice& Device(std::string_view name) const {
    return *tracker_.FindDevice("gpu.example.com", "p", name);
  }

  DeviceSelectors selectors_;
  SliceTracker tracker_{selectors_, {}};
};

TEST_F(DeviceVerdictsTest, ASelectionIsEvaluatedOnceForADevice) {
  const std::string_view of_class[] = {"device.driver == \"gpu.example.com\""};
  const std::string_view of_request[] = {"device.attributes[\"gpu.example.com\"].model == \"a\""};
  Selection selection(of_class, of_request);
  EXPECT_EQ(selection.GetOrEvaluate(Device("d0"), selectors_), Selection::Answer::Yes);
  EXPECT_EQ(selection.GetOrEvaluate(Device("d1"), selectors_), Selection::Answer::Fault);
  const std::uint64_t hits = selectors_.counters().hits;
  EXPECT_EQ(selection.GetOrEvaluate(Device("d0"), selectors_), Selection::Answer::Yes);
  EXPECT_EQ(selectors_.counters().hits, hits);
  selection.Forget(Device("d0").id);
  EXPECT_EQ(selection.GetOrEvaluate(Device("d0"), selectors_), Selection::Answer::Yes);
  EXPECT_GT(selectors_.counters().hits, hits);
}

TEST_F(DeviceVerdictsTest, TwoGenerationsOfADeviceAreTwoQuestions) {
  const auto slice = [](const std::string& name, int generation, const std::string& model) {
    return DecodeYaml(
        "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: " + name +
        "}, spec: {driver: gpu.example.com, nodeName: n1, pool: {name: q, generation: " +
        std::to_string(generation) +
        ", resourceSliceCount: 1}, devices: [{name: d, attributes: "
        "{model: {string: " +
        model + "}}}]}}");
  };
  tracker_.Observe({nullptr, slice("s1", 1, "a")});
  tracker_.Observe({nullptr, slice("s2", 2, "b")});
  const auto& slices = tracker_.FindPool("gpu.example.com", "q")->slices;
  ASSERT_EQ(slices[0]->devices[0].id, slices[1]->devices[0].id);
  const std::string_view expression = "device.attributes[\"gpu.example.com\"].model == \"a\"";
  Selection selection({}, {&expression, 1});
  EXPECT_EQ(selection.GetOrEvaluate(slices[0]->devices[0], selectors_), Selection::Answer::Yes);
  EXPECT_EQ(selection.GetOrEvaluate(slices[1]->devices[0], selectors_), Selection::Answer::No);
}

TEST_F(DeviceVerdictsTest, ARefusalNamesTheSelector) {
  const std::string_view of_class[] = {"true", "device.driver == \"other\""};
  const std::string_view of_request[] = {"device.driver =="};
  const Selection::Refusal by_class =
      Selection(of_class, of_request).Explain(Device("d0"), selectors_);
  EXPECT_TRUE(by_class.is_of_class);
  EXPECT_EQ(by_class.index, 1U);
  EXPECT_EQ(by_class.fault, "");
  const Selection::Refusal by_request = Selection({}, of_request).Explain(Device("d0"), selectors_);
  EXPECT_FALSE(by_request.is_of_class);
  EXPECT_TRUE(by_request.is_compile);
  EXPECT_TRUE(by_request.fault.starts_with("CEL compile error: ")) << by_request.fault;
}

TEST_F(DeviceVerdictsTest, OnlySomeTaintsHaveToBeTolerated) {
  const match::TolerationTimeRules rules;
  TolerationList none({}, nullptr);
  EXPECT_EQ(none.Until(Device("d0"), rules), Instant::min());
  EXPECT_EQ(none.Until(Device("d1"), rules), Instant::max());
  const auto untolerated = FindAllUntolerated(Device("d0"), {}, rules, Instant{});
  ASSERT_EQ(untolerated.size(), 1u);
  EXPECT_EQ(untolerated[0]->taint->key, "hot");
  const api::Toleration hot{.key = "hot", .op = "Exists"};
  TolerationList list({&hot, 1}, nullptr);
  EXPECT_EQ(list.Until(Device("d0"), rules), Instant::max());
  EXPECT_EQ(list.Until(Device("d0"), rules), Instant::max());
}

}  // namespace
}  // namespace plimsoll::dra
