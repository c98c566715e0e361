#include "apiserver/strategy/qos.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

struct QosCase {
  std::string name;
  std::string spec;
  std::string want;
};

class QosTest : public testing::TestWithParam<QosCase> {};

TEST_P(QosTest, Is) {
  const auto document = codec::ParseJson(GetParam().spec);
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(QosClassOf((*document)->root()), GetParam().want);
}

std::string Containers(std::string_view resources, std::string_view rest = "") {
  return R"({"containers":[{"resources":)" + std::string(resources) + "}]" + std::string(rest) +
         "}";
}

constexpr std::string_view kFull =
    R"({"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1000m","memory":"1024Mi"}})";

INSTANTIATE_TEST_SUITE_P(
    All, QosTest,
    testing::ValuesIn<QosCase>({
        {"Nothing", Containers("{}"), "BestEffort"},
        {"Zeros", Containers(R"({"requests":{"cpu":"0"},"limits":{"memory":"0"}})"), "BestEffort"},
        {"OtherResources", Containers(R"({"requests":{"example.com/gpu":"1"}})"), "BestEffort"},
        {"Full", Containers(kFull), "Guaranteed"},
        {"Requests", Containers(R"({"requests":{"cpu":"1","memory":"1"}})"), "Burstable"},
        {"OneLimit", Containers(R"({"requests":{"cpu":"1"},"limits":{"cpu":"1"}})"), "Burstable"},
        {"LessRequested",
         Containers(
             R"({"limits":{"cpu":"1","memory":"1"},"requests":{"cpu":"500m","memory":"1"}})"),
         "Burstable"},
        {"OneContainerWithout",
         R"({"containers":[{"resources":)" + std::string(kFull) + R"(},{"name":"b"}]})",
         "Burstable"},
        {"InitContainerWithout", Containers(kFull, R"(,"initContainers":[{"name":"i"}])"),
         "Burstable"},
        {"OfThePod", Containers("{}", ",\"resources\":" + std::string(kFull)), "Guaranteed"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::apiserver
