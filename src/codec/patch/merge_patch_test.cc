#include "codec/patch/merge_patch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "codec/json.h"
#include "codec/random_tree_for_test.h"

namespace plimsoll::codec {
namespace {

struct MergeCase {
  std::string name;
  std::string original;
  std::string patch;
  std::string want;  // empty: Invalid JSON Patch
};

class MergePatchTest : public testing::TestWithParam<MergeCase> {};

TEST_P(MergePatchTest, Merges) {
  const MergeCase& test = GetParam();
  const auto original = ParseJson(test.original);
  const auto patch = ParseJson(test.patch);
  Document out;
  const Result<Value> got = ApplyMergePatch(out, (*original)->root(), (*patch)->root());
  if (got) {
    EXPECT_EQ(WriteJson(*got), test.want);
  } else {
    EXPECT_EQ("", test.want);
    EXPECT_EQ(got.error().reason, Reason::BadRequest);
    EXPECT_EQ(got.error().message, "Invalid JSON Patch");
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MergePatchTest,
    testing::ValuesIn<MergeCase>({
        {"NothingChangesNothing", R"({"a":{"b":null}})", "{}", R"({"a":{"b":null}})"},
        {"ReplacesAddsAndRemoves", R"({"a":1,"b":2,"c":3})", R"({"a":null,"b":4,"d":5})",
         R"({"b":4,"c":3,"d":5})"},
        {"MergesObjects", R"({"a":{"b":1,"c":2}})", R"({"a":{"b":null,"d":3}})",
         R"({"a":{"c":2,"d":3}})"},
        {"ReplacesLists", R"({"a":[1,2]})", R"({"a":[3]})", R"({"a":[3]})"},
        {"NullsOfNewObjectsGo", "{}", R"({"a":{"b":null,"c":[{"d":null}]}})",
         R"({"a":{"c":[{}]}})"},
        {"NullsInNewListsStay", "{}", R"({"a":[null,1]})", R"({"a":[null,1]})"},
        {"AListOverAnObjectKeepsItsNulls", R"({"a":{}})", R"({"a":[{"b":null}]})",
         R"({"a":[{"b":null}]})"},
        {"AnObjectOverAScalar", R"({"a":1})", R"({"a":{"b":null,"c":2}})", R"({"a":{"c":2}})"},
        {"AListIsTheResult", R"({"a":1})", R"([{"b":null}])", "[{}]"},
        {"AScalarIsNoPatch", "{}", "1", ""},
        {"NullIsNoPatch", "{}", "null", ""},
    }),
    [](const auto& test) { return test.param.name; });

TEST(MergePatchTest, WideObjectsAreMergedByKey) {
  std::string original = "{";
  std::string patch = "{";
  for (int i = 0; i < 100; ++i) {
    original += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":0";
    patch += (i == 0 ? "\"k" : ",\"k") + std::to_string(i + 50) + "\":1";
  }
  const auto from = ParseJson(original + "}");
  const auto change = ParseJson(patch + "}");
  Document out;
  const Result<Value> got = ApplyMergePatch(out, (*from)->root(), (*change)->root());
  ASSERT_TRUE(got.has_value());
  ASSERT_EQ(got->members().size(), 150u);
  EXPECT_EQ(*got->Find("k49"), Value::Int(0));
  EXPECT_EQ(*got->Find("k50"), Value::Int(1));
  EXPECT_EQ(*got->Find("k149"), Value::Int(1));
}

RC_GTEST_PROP(MergePatchProperty, ASecondTimeOverNothingChangesNothing, ()) {
  Document source;
  Value patch = source.NewObject();
  source.Set(patch, "k", RandomTree(source, 4));
  Document out;
  const Value once = *ApplyMergePatch(out, out.NewObject(), patch);
  RC_ASSERT(*ApplyMergePatch(out, once, patch) == once);
}

}  // namespace
}  // namespace plimsoll::codec
