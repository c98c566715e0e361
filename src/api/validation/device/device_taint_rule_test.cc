#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

std::string Rule(std::string_view selector,
                 std::string_view taint = R"("key":"k","effect":"None")") {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","spec":{"deviceSelector":{)" +
         std::string(selector) + R"(},"taint":{)" + std::string(taint) + "}}}";
}

class DeviceTaintRuleTest : public testing::TestWithParam<KindCase> {};

TEST_P(DeviceTaintRuleTest, SaysWhatIsWrong) { EXPECT_EQ(FaultsOf(GetParam()), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    All, DeviceTaintRuleTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Everything", Rule(""), "", {}},
        {"ByClassAndExpression",
         Rule(
             R"("deviceClassName":"gpu","selectors":[{"cel":{"expression":"device.driver == 'a.com'"}}])",
             R"("key":"k","effect":"NoExecute","evictionsPerSecond":100,"description":"d","data":{"a":1})"),
         "",
         {}},
        {"ClassName",
         Rule(R"("deviceClassName":"A")"),
         "",
         {R"(spec.deviceSelector.deviceClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"}},
        {"Expression",
         Rule(R"("selectors":[{"cel":{"expression":"device.driver"}}])"),
         "",
         {R"(spec.deviceSelector.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string)"}},
        {"Rate",
         Rule("", R"("key":"k","effect":"NoExecute","evictionsPerSecond":0)"),
         "",
         {R"(spec.taint.evictionsPerSecond: Invalid value: 0: must be greater than zero)"}},
        {"UnknownEffectStays",
         Rule(R"("driver":"a.com")", R"("key":"k","effect":"Later")"),
         Rule("", R"("key":"k","effect":"Later")"),
         {}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
