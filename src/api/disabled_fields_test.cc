#include "api/disabled_fields.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kToleration = R"([{"key":"k","operator":"Exists"}])";

std::string SliceWith(std::string_view device) {
  return R"({"kind":"ResourceSlice","spec":{"driver":"d","devices":[)" + std::string(device) +
         "]}}";
}

std::string ClaimSpec(const std::string& exactly, const std::string& sub) {
  return R"({"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"c")" + exactly +
         R"(}},{"name":"b","firstAvailable":[{"name":"s")" + sub + "}]}]}}";
}

struct DropCase {
  std::string name;
  std::string kind;
  std::string given;
  std::string want;         // with the gate off
  std::string before = "";  // the stored object; empty on create
};

class DropDisabledFieldsTest : public testing::TestWithParam<DropCase> {};

std::unique_ptr<codec::Document> Read(const std::string& json) {
  auto document = codec::ParseJson(json);
  PL_ASSERT(document.has_value());
  return *std::move(document);
}

TEST_P(DropDisabledFieldsTest, DropsWithTheGateOff) {
  const DropCase& test = GetParam();
  const KindDesc* kind = FindKind("resource.k8s.io", "v1", test.kind);
  ASSERT_NE(kind, nullptr);
  const auto before = test.before.empty() ? nullptr : Read(test.before);
  const codec::Value* stored = before != nullptr ? &before->root() : nullptr;

  FeatureGates gates;
  const auto kept = Read(test.given);
  DropDisabledFields(*kept, kept->root(), *kind, gates, stored);
  EXPECT_EQ(codec::WriteJson(kept->root()), test.given);

  gates.Set(Feature::DRADeviceTaints, false);
  const auto dropped = Read(test.given);
  DropDisabledFields(*dropped, dropped->root(), *kind, gates, stored);
  EXPECT_EQ(codec::WriteJson(dropped->root()), test.want);
}

const std::string kTolerations = R"(,"tolerations":)" + std::string(kToleration);
const std::string kTainted = R"({"name":"x","taints":[{"key":"k","effect":"NoExecute"}]})";

INSTANTIATE_TEST_SUITE_P(
    All, DropDisabledFieldsTest,
    testing::ValuesIn<DropCase>({
        {"Slice", "ResourceSlice", SliceWith(kTainted), SliceWith(R"({"name":"x"})")},
        {"SliceThatUsedThem", "ResourceSlice", SliceWith(kTainted), SliceWith(kTainted),
         SliceWith(kTainted)},
        {"SliceThatDidNot", "ResourceSlice", SliceWith(kTainted), SliceWith(R"({"name":"x"})"),
         SliceWith(R"({"name":"x"})")},
        {"Claim", "ResourceClaim", R"({"spec":)" + ClaimSpec(kTolerations, kTolerations) + "}",
         R"({"spec":)" + ClaimSpec("", "") + "}"},
        {"Template", "ResourceClaimTemplate",
         R"({"spec":{"spec":)" + ClaimSpec(kTolerations, "") + "}}",
         R"({"spec":{"spec":)" + ClaimSpec("", "") + "}}"},
        {"RuleIsServedAllTheSame", "DeviceTaintRule",
         R"({"spec":{"taint":{"key":"k","effect":"NoExecute"}}})",
         R"({"spec":{"taint":{"key":"k","effect":"NoExecute"}}})"},
    }),
    [](const auto& test) { return test.param.name; });

struct GateCase {
  std::string name;
  std::string kind;
  Feature feature;
  std::string given;
  std::string want;  // with that gate off
};

class DropForGateTest : public testing::TestWithParam<GateCase> {};

TEST_P(DropForGateTest, TakesOutWhatBelongsToIt) {
  const GateCase& test = GetParam();
  const KindDesc* kind = FindKind("resource.k8s.io", "v1", test.kind);
  FeatureGates gates;
  const auto kept = Read(test.given);
  DropDisabledFields(*kept, kept->root(), *kind, gates, nullptr);
  EXPECT_EQ(codec::WriteJson(kept->root()), test.given);
  gates.Set(test.feature, false);
  const auto dropped = Read(test.given);
  DropDisabledFields(*dropped, dropped->root(), *kind, gates, nullptr);
  EXPECT_EQ(codec::WriteJson(dropped->root()), test.want);
}

INSTANTIATE_TEST_SUITE_P(
    All, DropForGateTest,
    testing::ValuesIn<GateCase>({
        {"Sharing", "ResourceSlice", Feature::DRAConsumableCapacity,
         SliceWith(
             R"({"allowMultipleAllocations":true,"capacity":{"m":{"value":"1","requestPolicy":{}}}})"),
         SliceWith(R"({"capacity":{"m":{"value":"1"}}})")},
        {"Amounts", "ResourceClaim", Feature::DRAConsumableCapacity,
         R"({"spec":)" + ClaimSpec(R"(,"capacity":{})", R"(,"capacity":{})") + "}",
         R"({"spec":)" + ClaimSpec("", "") + "}"},
        {"Binding", "ResourceSlice", Feature::DRADeviceBindingConditions,
         SliceWith(R"({"bindsToNode":true,"bindingConditions":["a"],"name":"x"})"),
         SliceWith(R"({"name":"x"})")},
        {"Partitions", "ResourceSlice", Feature::DRAPartitionableDevices,
         SliceWith(R"({"consumesCounters":[{}],"nodeName":"n","name":"x"})"),
         SliceWith(R"({"name":"x"})")},
    }),
    [](const auto& test) { return test.param.name; });

TEST(DropDisabledFieldsTest, FeaturesThatAreNotHereAreAlwaysOff) {
  const auto slice = Read(SliceWith(
      R"({"attributes":{"a":{"ints":[1]},"b":{"int":1}},"nodeAllocatableResources":{}})"));
  DropDisabledFields(*slice, slice->root(), *FindKind("resource.k8s.io", "v1", "ResourceSlice"),
                     FeatureGates());
  EXPECT_EQ(codec::WriteJson(slice->root()), SliceWith(R"({"attributes":{"a":{},"b":{"int":1}}})"));
}

}  // namespace
}  // namespace plimsoll::api
