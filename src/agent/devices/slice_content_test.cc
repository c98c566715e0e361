#include "agent/devices/slice_content.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::agent {
namespace {

using Texts = std::vector<std::string>;

const HostedSlice kDevices{
    .driver = "gpu.example.com",
    .pool = "n1",
    .spec =
        R"({"nodeName":"n1","devices":[{"name":"gpu-0","taints":[{"key":"k","effect":"None"}]},)"
        R"({"name":"gpu-1"}]})"};

struct HealthCase {
  std::string name;
  std::string annotation;
  std::optional<Texts> want;  // nullopt: an error
};

class ReadDeviceHealthTest : public testing::TestWithParam<HealthCase> {};

TEST_P(ReadDeviceHealthTest, ReadsTaints) {
  const HealthCase& test = GetParam();
  Texts faults;
  const auto health = ReadDeviceHealth(
      api::StringMap{{"plimsoll.io/device-taints.gpu-0", test.annotation}, {"other", "x"}},
      {kDevices}, faults);
  EXPECT_EQ(faults.empty(), test.want.has_value());
  ASSERT_EQ(health.size(), test.want ? 1u : 0u);
  if (!test.want) {
    EXPECT_TRUE(faults[0].starts_with("annotation plimsoll.io/device-taints.gpu-0: want taints"));
    return;
  }
  EXPECT_EQ(health[0].device, "gpu-0");
  EXPECT_EQ(health[0].taints, *test.want);
}

INSTANTIATE_TEST_SUITE_P(All, ReadDeviceHealthTest,
                         testing::ValuesIn<HealthCase>({
                             {"None", "", Texts{}},
                             {"One", "a.b/budget=0:NoExecute",
                              Texts{R"({"key":"a.b/budget","value":"0","effect":"NoExecute"})"}},
                             {"Two", "hot:NoSchedule,x=:None",
                              Texts{R"({"key":"hot","effect":"NoSchedule"})",
                                    R"({"key":"x","value":"","effect":"None"})"}},
                             {"AsJson",
                              R"([{"key":"k","effect":"NoExecute","evictionsPerSecond":2}])",
                              Texts{R"({"key":"k","effect":"NoExecute","evictionsPerSecond":2})"}},
                             {"NoEffect", "a=b", std::nullopt},
                             {"EmptyEffect", "a=b:", std::nullopt},
                             {"NoKey", "=b:NoExecute", std::nullopt},
                             {"NoList", "[1]", std::nullopt},
                             {"NoJson", "[", std::nullopt},
                         }),
                         [](const auto& test) { return test.param.name; });

const HostedSlice kTaints{.driver = "gpu.example.com",
                          .pool = "n1",
                          .spec = R"({"nodeName":"n1","taints":[{"device":"gpu-1","taint":{"key":)"
                                  R"("t","effect":"None"}}]})",
                          .is_of_taints = true};
const std::vector<DeviceHealth> kSick = {
    {"gpu-0", {R"({"key":"budget","value":"0","effect":"NoExecute"})"}}, {"gpu-9", {"{}"}}};

TEST(ReadDeviceHealthOfOthersTest, ADeviceThatIsNotThereIsAFault) {
  Texts faults;
  const api::StringMap annotations{{"plimsoll.io/device-taints.gpu-9", "hot:None"}};
  EXPECT_TRUE(ReadDeviceHealth(annotations, {kDevices}, faults).empty());
  EXPECT_EQ(faults,
            Texts{R"(annotation plimsoll.io/device-taints.gpu-9: there is no device "gpu-9")"});
}

TEST(ContentsOfTest, HealthGoesIntoTheDevice) {
  const auto healthy = ContentsOf({kDevices}, {});
  ASSERT_EQ(healthy.size(), 1u);
  EXPECT_EQ(healthy[0].spec, kDevices.spec);
  const auto sick = ContentsOf({kDevices}, kSick);
  EXPECT_EQ(sick[0].spec,
            R"({"nodeName":"n1","devices":[{"name":"gpu-0","taints":[{"key":"budget","value":"0",)"
            R"("effect":"NoExecute"}]},{"name":"gpu-1"}]})");
  EXPECT_NE(sick[0].fingerprint, healthy[0].fingerprint);
  EXPECT_EQ(ContentsOf({kDevices}, {{"gpu-0", {}}})[0].spec,
            R"({"nodeName":"n1","devices":[{"name":"gpu-0"},{"name":"gpu-1"}]})");
}

TEST(ContentsOfTest, OrIntoTheSliceOfTaints) {
  const auto sick = ContentsOf({kDevices, kTaints}, kSick);
  EXPECT_EQ(sick[0].spec, R"({"nodeName":"n1","devices":[{"name":"gpu-0"},{"name":"gpu-1"}]})");
  EXPECT_EQ(sick[1].spec,
            R"({"nodeName":"n1","taints":[{"device":"gpu-1","taint":{"key":"t","effect":"None"}},)"
            R"({"device":"gpu-0","taint":{"key":"budget","value":"0","effect":"NoExecute"}}]})");
  EXPECT_EQ(ContentsOf({kDevices, kTaints}, {{"gpu-1", {}}})[1].spec,
            R"({"nodeName":"n1","taints":[]})");
}

ObjectPtr Decode(std::string json) {
  auto document = codec::ParseJson(std::move(json));
  return api::DecodeObject(std::shared_ptr(std::move(*document)), {.apply_defaults = false})
      ->object;
}

TEST(SliceJsonTest, TaintsKeepTheirTime) {
  const ObjectPtr node =
      Decode(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"u"}})");
  const Instant first = *ParseTime("2026-03-01T12:00:00Z");
  const auto before = ContentsOf({kDevices}, {});
  const ObjectPtr stored =
      Decode(SliceJson("n1-gpus", *node, kDevices, before[0], {1, 1}, nullptr, first));
  const auto& view = *stored->As<api::ResourceSlice>();
  EXPECT_EQ(view.metadata.name, "n1-gpus");
  EXPECT_EQ(view.metadata.owner_references.at(0).uid, "u");
  EXPECT_EQ(PublishedContent(view), before[0].fingerprint);
  EXPECT_EQ(view.driver, "gpu.example.com");
  EXPECT_EQ(view.pool.name, "n1");
  EXPECT_EQ(view.pool.generation, 1);
  EXPECT_EQ(view.pool.resource_slice_count, 1);
  EXPECT_EQ(view.devices.at(0).taints.at(0).time_added, "2026-03-01T12:00:00Z");

  const auto after = ContentsOf({kDevices}, {{"gpu-1", {R"({"key":"k","effect":"None"})"}}});
  const ObjectPtr later = Decode(SliceJson("n1-gpus", *node, kDevices, after[0], {2, 1}, stored,
                                           first + std::chrono::minutes(1)));
  const auto& devices = later->As<api::ResourceSlice>()->devices;
  EXPECT_EQ(devices.at(0).taints.at(0).time_added, "2026-03-01T12:00:00Z");
  EXPECT_EQ(devices.at(1).taints.at(0).time_added, "2026-03-01T12:01:00Z");
}

TEST(BindingJsonTest, NamesTheDeviceAndItsConditions) {
  const ObjectPtr claim = Decode(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",)"
      R"("metadata":{"name":"c","namespace":"ns","uid":"u"},"spec":{},"status":{"allocation":{)"
      R"("devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"x",)"
      R"("bindingConditions":["ready"],"bindingFailureConditions":["broken"]}]}}}})");
  const Instant now = *ParseTime("2026-03-01T12:00:00Z");
  EXPECT_EQ(BindingJson(*claim, {{0, false}}, now),
            R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",)"
            R"("metadata":{"name":"c","namespace":"ns","uid":"u"},"status":{"devices":[)"
            R"({"driver":"d","pool":"p","device":"x","conditions":[{"type":"ready",)"
            R"("status":"True","reason":"Simulated","message":"",)"
            R"("lastTransitionTime":"2026-03-01T12:00:00Z"}]}]}})");
  EXPECT_TRUE(BindingJson(*claim, {{0, true}}, now).contains(R"("type":"broken")"));
}

}  // namespace
}  // namespace plimsoll::agent
