#include "cli/manifest/type_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_for_test.h"
#include "codec/json.h"

namespace plimsoll::cli {
namespace {

struct TypeFaultCase {
  std::string name;
  std::string json;
  std::string field;
  std::string want;
};

class TypeFaultTest : public testing::TestWithParam<TypeFaultCase> {};

TEST_P(TypeFaultTest, SaysWhatWouldBeRight) {
  const auto document = codec::ParseJson(GetParam().json);
  ASSERT_TRUE(document.has_value());
  const api::TypeDesc& pod = *api::FindKind("", "v1", "Pod")->type;
  EXPECT_EQ(FaultOfType(pod, (*document)->root(), GetParam().field), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, TypeFaultTest,
    testing::ValuesIn<TypeFaultCase>({
        {"TextForNumber", R"({"spec":{"priority":"high"}})", "spec.priority",
         R"(spec.priority: want a whole number, not the text "high")"},
        {"QuotedNumber", R"({"spec":{"priority":"-1"}})", "spec.priority",
         R"(spec.priority: want a whole number, not the text "-1"; remove the quotes)"},
        {"LargeNumber", R"({"spec":{"priority":2147483648}})", "spec.priority",
         "spec.priority: want a whole number from -2147483648 to 2147483647, not 2147483648"},
        {"Fraction", R"({"spec":{"priority":1.5}})", "spec.priority",
         "spec.priority: want a whole number from -2147483648 to 2147483647, not 1.5"},
        {"NumberForText", R"({"metadata":{"labels":{"a":5}}})", "metadata.labels[a]",
         R"(metadata.labels[a]: want a text, not 5; put it in quotes: "5")"},
        {"BoolForText", R"({"spec":{"tolerations":[{},{"value":true}]}})",
         "spec.tolerations[1].value",
         R"(spec.tolerations[1].value: want a text, not true; put it in quotes: "true")"},
        {"TextForBool", R"({"spec":{"hostNetwork":"yes"}})", "spec.hostNetwork",
         R"(spec.hostNetwork: want true or false, not the text "yes")"},
        {"FieldsForList", R"({"spec":{"containers":[{"ports":{}}]}})", "spec.containers[0].ports",
         "spec.containers[0].ports: want a list, each item after `- `, not fields"},
        {"ListForFields", R"({"spec":[]})", "spec",
         "spec: want fields, one `name: value` per line, not a list"},
        {"TextForMap", R"({"metadata":{"labels":"x"}})", "metadata.labels",
         R"(metadata.labels: want a map, one `key: value` per line, not the text "x")"},
        {"Time", R"({"metadata":{"creationTimestamp":"yesterday"}})", "metadata.creationTimestamp",
         R"(metadata.creationTimestamp: want a time such as "2026-01-31T12:00:00Z", not the text )"
         R"("yesterday")"},
        {"LongText", R"({"spec":{"priority":")" + std::string(99, 'x') + R"("}})", "spec.priority",
         "spec.priority: want a whole number, not the text \"" + std::string(60, 'x') + "…\""},
        {"RightType", R"({"spec":{"priority":5}})", "spec.priority", ""},
        {"UnknownField", R"({"spec":{"prio":5}})", "spec.prio", ""},
        {"NoField", R"({})", "", ""},
    }),
    [](const auto& test) { return test.param.name; });

TEST(TypeFaultTest, CheckShowsIt) {
  const Outcome outcome = RunForTest(
      {"check", "-"}, "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  priority: high\n");
  EXPECT_EQ(outcome.code, kExitFindings);
  const std::string all = outcome.out + outcome.err;
  EXPECT_THAT(all,
              testing::HasSubstr(R"(spec.priority: want a whole number, not the text "high")"));
  EXPECT_THAT(all, testing::Not(testing::HasSubstr("Go struct")));
}

}  // namespace
}  // namespace plimsoll::cli
