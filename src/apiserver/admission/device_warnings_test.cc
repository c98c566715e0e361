#include "apiserver/admission/device_warnings.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kGroup = "resource.k8s.io";

class DeviceWarningsTest : public testing::Test, public AdmissionFixture {
 protected:
  std::vector<std::string> OfRule(std::string_view spec, std::string before = {}) {
    const auto rule = [](std::string_view of) {
      return R"({"kind":"DeviceTaintRule","metadata":{"name":"r"},"spec":)" + std::string(of) + "}";
    };
    Ask(gate_, {.operation = before.empty() ? Operation::Create : Operation::Update,
                .plural = "devicetaintrules",
                .group = kGroup,
                .object = rule(spec),
                .before = before.empty() ? "" : rule(before)});
    return warnings;
  }
  FixedAuthorizer authorizer_;
  DeviceWarnings gate_{cache(), Of("resourceslices", kGroup), Of("resourceclaims", kGroup),
                       authorizer_};
};

TEST_F(DeviceWarningsTest, CountsAreOnlyForUsersWhoMayListTheObjects) {
  authorizer_.is_allowed = false;
  EXPECT_EQ(
      OfRule(R"({"deviceSelector":{},"taint":{"key":"k","effect":"NoExecute"}})"),
      std::vector<std::string>{"spec.deviceSelector: an empty selector selects every device"});
  EXPECT_EQ(authorizer_.asked.verb, "list");
}

TEST_F(DeviceWarningsTest, ARuleForEverythingIsTold) {
  const std::string all = R"({"deviceSelector":{},"taint":{"key":"k","effect":"NoExecute"}})";
  EXPECT_EQ(OfRule(all),
            std::vector<std::string>{"spec.deviceSelector: an empty selector selects every device: "
                                     "0 devices published now, 0 pods in use of one"});
  Put(Of("resourceslices", kGroup), "", "s",
      R"(,"spec":{"driver":"d","devices":[{"name":"a"},{"name":"b"}]})");
  Put(Of("resourceclaims", kGroup), "default", "c",
      R"(,"status":{"allocation":{},"reservedFor":[{"resource":"pods","name":"p","uid":"1"}]})");
  Put(Of("resourceclaims", kGroup), "default", "d",
      R"(,"status":{"allocation":{},"reservedFor":[{"resource":"pods","name":"p","uid":"1"}]})");
  EXPECT_EQ(OfRule(all),
            std::vector<std::string>{"spec.deviceSelector: an empty selector selects every device: "
                                     "2 devices published now, 1 pod in use of one"});
  EXPECT_TRUE(OfRule(all, all).empty()) << "nothing new";
}

TEST_F(DeviceWarningsTest, ObjectsThatCannotBeReadAreNotCounted) {
  Put(Of("resourceslices", kGroup), "", "s", R"(,"spec":7)");
  Put(Of("resourceclaims", kGroup), "default", "c", R"(,"status":7)");
  EXPECT_EQ(OfRule(R"({"deviceSelector":{},"taint":{"key":"k","effect":"NoExecute"}})"),
            std::vector<std::string>{"spec.deviceSelector: an empty selector selects every device: "
                                     "0 devices published now, 0 pods in use of one"});
}

TEST_F(DeviceWarningsTest, ARuleForSomeOrNoneIsNot) {
  EXPECT_TRUE(OfRule(R"({"taint":{"key":"k","effect":"NoExecute"}})").empty());
  EXPECT_TRUE(OfRule(R"({"deviceSelector":{"driver":"d"}})").empty());
}

TEST_F(DeviceWarningsTest, DriversAreSpelledSmall) {
  const auto of_driver = [&](std::string_view driver) {
    Ask(gate_, {.plural = "resourceslices",
                .group = kGroup,
                .object = R"({"kind":"ResourceSlice","spec":{"driver":")" + std::string(driver) +
                          R"("}})"});
    return warnings;
  };
  EXPECT_EQ(of_driver("Gpu.com"),
            std::vector<std::string>{R"(spec.driver: driver names should be lowercase; "Gpu.com" )"
                                     "contains uppercase characters"});
  EXPECT_TRUE(of_driver("gpu.com").empty());
}

}  // namespace
}  // namespace plimsoll::apiserver
