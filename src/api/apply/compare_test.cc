#include "api/apply/compare.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

struct CompareCase {
  std::string name;
  std::string before;
  std::string after;
  std::string added;
  std::string removed;
  std::string modified;
};

class CompareTest : public testing::TestWithParam<CompareCase> {};

TEST_P(CompareTest, FindsWhatDiffers) {
  const CompareCase& test = GetParam();
  const auto before = codec::ParseJson(test.before);
  const auto after = codec::ParseJson(test.after);
  codec::Document arena;
  const Comparison got =
      Compare(arena, (*before)->root(), (*after)->root(), *FindKind("", "v1", "Pod")->type);
  EXPECT_EQ(codec::WriteJson(got.added.Encode(arena)), test.added);
  EXPECT_EQ(codec::WriteJson(got.removed.Encode(arena)), test.removed);
  EXPECT_EQ(codec::WriteJson(got.modified.Encode(arena)), test.modified);
}

INSTANTIATE_TEST_SUITE_P(
    All, CompareTest,
    testing::ValuesIn<CompareCase>({
        {"Nothing", R"({"spec":{"nodeName":"n"}})", R"({"spec":{"nodeName":"n"}})", "{}", "{}",
         "{}"},
        {"Scalars", R"({"spec":{"nodeName":"n","hostname":"h"}})",
         R"({"spec":{"nodeName":"m","priority":1}})", R"({"f:spec":{"f:priority":{}}})",
         R"({"f:spec":{"f:hostname":{}}})", R"({"f:spec":{"f:nodeName":{}}})"},
        {"StructsWithAllThatIsInThem", "{}", R"({"spec":{"securityContext":{"runAsUser":1}}})",
         R"({"f:spec":{".":{},"f:securityContext":{".":{},"f:runAsUser":{}}}})", "{}", "{}"},
        {"EmptyStructs", R"({"spec":{}})", R"({"spec":{"securityContext":{}}})",
         R"({"f:spec":{"f:securityContext":{}}})", "{}", "{}"},
        {"NullIsThere", R"({"spec":{"containers":null}})",
         R"({"spec":{"containers":[{"name":"a"}]}})",
         R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}}})", "{}", "{}"},
        {"KeyedElementsWhereverTheyStand",
         R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}})",
         R"({"spec":{"containers":[{"name":"b"},{"name":"a","image":"2"}]}})", "{}", "{}",
         R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{}}}}})"},
        {"AtomicLists", R"({"spec":{"tolerations":[{"key":"a"}]}})",
         R"({"spec":{"tolerations":[{"key":"a"},{"key":"b"}]}})", "{}", "{}",
         R"({"f:spec":{"f:tolerations":{}}})"},
        {"AtomicStructs", R"({"spec":{"imagePullSecrets":[{"name":"a"}]}})",
         R"({"spec":{"imagePullSecrets":[{"name":"b"}]}})",
         R"({"f:spec":{"f:imagePullSecrets":{"k:{\"name\":\"b\"}":{}}}})",
         R"({"f:spec":{"f:imagePullSecrets":{"k:{\"name\":\"a\"}":{}}}})", "{}"},
        {"Sets", R"({"metadata":{"finalizers":["a","b"]}})",
         R"({"metadata":{"finalizers":["b","c"]}})",
         R"({"f:metadata":{"f:finalizers":{"v:\"c\"":{}}}})",
         R"({"f:metadata":{"f:finalizers":{"v:\"a\"":{}}}})", "{}"},
        {"Maps", R"({"metadata":{"labels":{"a":"1"}}})", R"({"metadata":{"labels":{"b":"1"}}})",
         R"({"f:metadata":{"f:labels":{"f:b":{}}}})", R"({"f:metadata":{"f:labels":{"f:a":{}}}})",
         "{}"},
        {"RepeatedElementsAreOne",
         R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"a","image":"2"}]}})",
         R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"a","image":"3"}]}})", "{}",
         "{}", R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{}}}})"},
        {"ARepetitionComes", R"({"spec":{"containers":[{"name":"a"}]}})",
         R"({"spec":{"containers":[{"name":"a"},{"name":"a"}]}})",
         R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{}}}})",
         R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}}})", "{}"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(FieldsOfTest, HoldsLeavesElementsAndEntries) {
  const auto tree = codec::ParseJson(
      R"({"metadata":{"labels":{"a":"1"},"annotations":{}},"spec":{"containers":[{"name":"c","env":[]}],"securityContext":{"seLinuxOptions":{}},"tolerations":[],"nodeName":null}})");
  codec::Document arena;
  EXPECT_EQ(
      codec::WriteJson(
          FieldsOf(arena, (*tree)->root(), *FindKind("", "v1", "Pod")->type).Encode(arena)),
      R"({"f:metadata":{"f:annotations":{},"f:labels":{"f:a":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:name":{}}},"f:nodeName":{},"f:securityContext":{"f:seLinuxOptions":{}},"f:tolerations":{}}})");
}

}  // namespace
}  // namespace plimsoll::api
