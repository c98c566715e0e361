#include "apiserver/admission/default_toleration_seconds.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

struct TolerationCase {
  std::string name;
  std::string given;  // items of the list
  std::string added;
};

class DefaultTolerationSecondsTest : public testing::TestWithParam<TolerationCase> {};

std::string Added(std::string_view condition) {
  return R"({"key":"node.kubernetes.io/)" + std::string(condition) +
         R"(","operator":"Exists","effect":"NoExecute","tolerationSeconds":300})";
}

TEST_P(DefaultTolerationSecondsTest, AddsWhatThePodDoesNotSpeakOf) {
  const TolerationCase& test = GetParam();
  AdmissionFixture server;
  DefaultTolerationSeconds gate({});
  const std::string comma = test.given.empty() || test.added.empty() ? "" : ",";
  EXPECT_EQ(server.Ask(gate, {.object = R"({"spec":{"tolerations":[)" + test.given + "]}}"}),
            R"({"spec":{"tolerations":[)" + test.given + comma + test.added + "]}}");
}

INSTANTIATE_TEST_SUITE_P(
    All, DefaultTolerationSecondsTest,
    testing::ValuesIn<TolerationCase>({
        {"Both", "", Added("not-ready") + "," + Added("unreachable")},
        {"One", R"({"key":"node.kubernetes.io/not-ready","effect":"NoExecute"})",
         Added("unreachable")},
        {"AnyEffect", R"({"key":"node.kubernetes.io/not-ready"})", Added("unreachable")},
        {"OtherEffect", R"({"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"})",
         Added("not-ready") + "," + Added("unreachable")},
        {"AnyKey", R"({"operator":"Exists"})", ""},
        {"AnExpressionIsNoAnyKey", R"({"expression":"taint.key == 'x'"})",
         Added("not-ready") + "," + Added("unreachable")},
    }),
    [](const auto& test) { return test.param.name; });

TEST(DefaultTolerationSecondsOfOthersTest, StatusAndOtherKindsAreLeftAlone) {
  AdmissionFixture server;
  DefaultTolerationSeconds gate({});
  EXPECT_EQ(server.Ask(gate, {.object = R"({"spec":{}})", .subresource = "status"}),
            R"({"spec":{}})");
  EXPECT_EQ(server.Ask(gate, {.plural = "nodes", .object = R"({"spec":{}})"}), R"({"spec":{}})");
}

}  // namespace
}  // namespace plimsoll::apiserver
