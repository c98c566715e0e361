#include <gtest/gtest.h>

#include "match/node_selector.h"

namespace plimsoll::match {
namespace {

struct CheckCase {
  std::string name;
  api::NodeSelectorTerm term;
  std::string want;
  Rules rules = {};
};

api::NodeSelectorTerm Labels(api::NodeSelectorRequirement requirement) {
  return {.match_expressions = {std::move(requirement)}, .match_fields = {}};
}

api::NodeSelectorTerm Fields(api::NodeSelectorRequirement requirement) {
  return {.match_expressions = {}, .match_fields = {std::move(requirement)}};
}

class CheckTermTest : public testing::TestWithParam<CheckCase> {};

TEST_P(CheckTermTest, SaysWhatUpstreamSays) {
  const CheckCase& test = GetParam();
  api::FieldErrors errors;
  const api::FieldPath at("t");
  CheckTerm(test.term, at, test.rules, errors);
  EXPECT_EQ(errors.empty() ? "" : errors.Text(), test.want);
}

const std::string kAt = "t.matchExpressions[0].";
const std::string kFieldAt = "t.matchFields[0].";

INSTANTIATE_TEST_SUITE_P(
    All, CheckTermTest,
    testing::ValuesIn<CheckCase>({
        {"In", Labels({"zone", "In", {"a", "b"}}), ""},
        {"InWithoutValues", Labels({"zone", "In", {}}),
         kAt + "values: Invalid value: null: for 'in', 'notin' operators, values set can't be "
               "empty"},
        {"ExistsWithValues", Labels({"zone", "Exists", {"a", "b"}}),
         kAt + "values: Invalid value: [\"a\",\"b\"]: values set must be empty for exists and does "
               "not exist"},
        {"GtWithoutValue", Labels({"zone", "Gt", {}}),
         kAt + "values: Invalid value: null: for 'Gt', 'Lt' operators, exactly one value is "
               "required"},
        {"GtOfText", Labels({"zone", "Gt", {"x"}}),
         kAt + "values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an "
               "integer"},
        {"Semver", Labels({"kernel", "SemverGt", {"v5.10"}}), ""},
        {"SemverWithoutValue", Labels({"kernel", "SemverLt", {}}),
         kAt + "values: Invalid value: null: for 'SemverGt', 'SemverLt', 'SemverEq' operators, "
               "exactly one value is required"},
        {"SemverOfText", Labels({"kernel", "SemverEq", {"x"}}),
         kAt + "values[0]: Invalid value: \"x\": Invalid character(s) found in major number "
               "\"x\""},
        {"SemverWithItsGateOff",
         Labels({"kernel", "SemverGt", {"5"}}),
         kAt + "operator: Unsupported value: \"SemverGt\": supported values: \"In\", \"NotIn\", "
               "\"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"",
         {.semver = false}},
        {"UnknownOperator", Labels({"zone", "in", {"a"}}),
         kAt + "operator: Unsupported value: \"in\": supported values: \"In\", \"NotIn\", "
               "\"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\", \"SemverGt\", \"SemverLt\", "
               "\"SemverEq\""},
        {"LongValue",
         Labels({"zone",
                 "In",
                 {"a", std::string_view(
                           "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv")}}),
         kAt + "values[1][zone]: Invalid value: "
               "\"vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv\": must be no "
               "more "
               "than 63 bytes"},
        {"Field", Fields({"metadata.name", "In", {"n"}}), ""},
        {"FieldOperator", Fields({"metadata.name", "Exists", {}}),
         kFieldAt + "operator: Unsupported value: \"Exists\": supported values: \"In\", \"NotIn\""},
        {"FieldValues", Fields({"metadata.name", "NotIn", {"a", "b"}}),
         kFieldAt + "values: Invalid value: [\"a\",\"b\"]: must have one element"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::match
