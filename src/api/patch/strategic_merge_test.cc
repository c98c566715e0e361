#include "api/patch/strategic_merge.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Value;

struct MergeCase {
  std::string name;
  std::string original;
  std::string patch;
  std::string want;  // the result, or the error
  Reason reason = Reason::InternalError;
};

class StrategicMergeTest : public testing::TestWithParam<MergeCase> {};

TEST_P(StrategicMergeTest, MergesOrSaysWhy) {
  const MergeCase& test = GetParam();
  const auto original = codec::ParseJson(test.original);
  const auto patch = codec::ParseJson(test.patch);
  ASSERT_TRUE(original.has_value() && patch.has_value());
  codec::Document out;
  const Result<Value> got = ApplyStrategicMerge(out, (*original)->root(), (*patch)->root(),
                                                *FindKind("", "v1", "Pod")->type);
  EXPECT_EQ(codec::WriteJson((*original)->root()), test.original);
  if (got) {
    EXPECT_EQ(codec::WriteJson(*got), test.want);
  } else {
    EXPECT_EQ(got.error().message, test.want);
    EXPECT_EQ(got.error().reason, test.reason);
  }
}

const std::string kPod =
    R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"}]}})";

INSTANTIATE_TEST_SUITE_P(
    Lists, StrategicMergeTest,
    testing::ValuesIn<MergeCase>({
        {"ElementsMergeByKey", kPod, R"({"spec":{"containers":[{"name":"b","image":"3"}]}})",
         R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"3"}]}})"},
        {"NewElementsComeFirst", kPod, R"({"spec":{"containers":[{"name":"c"}]}})",
         R"({"spec":{"containers":[{"name":"c"},{"name":"a","image":"1"},{"name":"b","image":"2"}]}})"},
        {"ElementsAreDeleted", kPod, R"({"spec":{"containers":[{"name":"a","$patch":"delete"}]}})",
         R"({"spec":{"containers":[{"name":"b","image":"2"}]}})"},
        {"ListsAreReplaced", kPod, R"({"spec":{"containers":[{"$patch":"replace"},{"name":"c"}]}})",
         R"({"spec":{"containers":[{"name":"c"}]}})"},
        {"MergeIsNoDirectiveOfElements", kPod,
         R"({"spec":{"containers":[{"name":"a","$patch":"merge"}]}})",
         "merging lists cannot yet be specified in the patch"},
        {"ADeletionNeedsItsKey", kPod, R"({"spec":{"containers":[{"$patch":"delete"}]}})",
         "map: map[$patch:delete] does not contain declared merge key: name"},
        {"MixedElements", kPod, R"({"spec":{"containers":["x"]}})",
         "list element types are not identical: [[map[image:1 name:a] map[image:2 name:b]] [x]]"},
        {"ListsOfLists", R"({"spec":{"containers":[]}})", R"({"spec":{"containers":[["x"]]}})",
         "lists of lists are not supported", Reason::Invalid},
        {"TextsWhereObjectsBelong", R"({"spec":{"containers":[]}})",
         R"({"spec":{"containers":["x"]}})",
         "expected a map[string]interface {}, but received a string"},
        {"SetsOfTextsMerge", R"({"metadata":{"finalizers":["a","b"]}})",
         R"({"metadata":{"finalizers":["c","a","c"]}})",
         R"({"metadata":{"finalizers":["c","a","b"]}})"},
        {"TextsAreDeletedAndAdded", R"({"metadata":{"finalizers":["a","b"]}})",
         R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["c"]}})",
         R"({"metadata":{"finalizers":["c","b"]}})"},
        {"DeletionsFromNothing", R"({"metadata":{"name":"p"}})",
         R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})",
         R"({"metadata":{"name":"p"}})"},
        {"DeletionsFromANamelessList", "{}", R"({"$deleteFromPrimitiveList":["a"]})",
         "invalid patch format of primitive list", Reason::BadRequest},
        {"AtomicListsAreReplaced", R"({"spec":{"tolerations":[{"key":"a"}]}})",
         R"({"spec":{"tolerations":[{"key":"b","x":null}]}})",
         R"({"spec":{"tolerations":[{"key":"b","x":null}]}})"},
        {"DirectivesInNewListsGo", R"({"spec":{}})",
         R"({"spec":{"containers":[{"name":"a","$patch":"delete"},{"name":"b","image":null}]}})",
         R"({"spec":{"containers":[{"name":"b"}]}})"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Order, StrategicMergeTest,
    testing::ValuesIn<MergeCase>({
        {"WithoutAChange", kPod,
         R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}})",
         R"({"spec":{"containers":[{"name":"b","image":"2"},{"name":"a","image":"1"}]}})"},
        {"OfANewList", R"({"spec":{}})",
         R"({"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"a"}]}})",
         R"({"spec":{"containers":[{"name":"a"}]}})"},
        {"OfNothing", R"({"spec":{}})", R"({"spec":{"$setElementOrder/containers":[]}})",
         R"({"spec":{}})"},
        {"OfATextIsRefused", R"({"spec":{"nodeName":"n"}})",
         R"({"spec":{"$setElementOrder/nodeName":[]}})",
         "expected a []interface {}, but received a string"},
        {"WithoutAList", kPod, R"({"spec":{"$setElementOrder":[]}})",
         "invalid patch format of setElementOrder list", Reason::BadRequest},
        {"OfAnUnknownField", kPod, R"({"spec":{"$setElementOrder/foo":[]}})",
         "unable to find api field in struct PodSpec for the json field \"foo\""},
        {"ByTexts", kPod, R"({"spec":{"$setElementOrder/containers":["a"]}})",
         "value for key 0 is not a map."},
        {"OfObjectsWithoutAKey", R"({"spec":{"tolerations":[{"key":"a"}]}})",
         R"({"spec":{"$setElementOrder/tolerations":[{"key":"a"}]}})",
         "runtime error: hash of unhashable type map[string]interface {}"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Objects, StrategicMergeTest,
    testing::ValuesIn<MergeCase>({
        {"Null", R"({"a":1})", "null", R"({"a":1})"},
        {"List", R"({"a":1})", "[]", "invalid JSON document", Reason::BadRequest},
        {"NumberAsDirective", "{}", R"({"$patch":5})",
         "unknown patch type: %!s(int64=5) in map: map[$patch:5]"},
        {"RetainedKeysAlone", R"({"spec":{"nodeName":"n","hostname":"h"}})",
         R"({"spec":{"$retainKeys":["hostname"]}})", R"({"spec":{"hostname":"h"}})"},
        {"RetainKeysMustNameAllOfThePatch", R"({"spec":{}})",
         R"({"spec":{"$retainKeys":["hostname"],"nodeName":"n"}})",
         "invalid patch format of retainKeys", Reason::BadRequest},
        {"RetainKeysMustBeAList", R"({"spec":{}})", R"({"spec":{"$retainKeys":"x"}})",
         "invalid patch format of retainKeys", Reason::BadRequest},
        {"ObjectsInMapsOfTexts", R"({"metadata":{"labels":{"a":{"x":1}}}})",
         R"({"metadata":{"labels":{"a":{"y":2}}}})",
         "merging an object in json but data type is not struct, instead is: map"},
        {"DirectiveInANewObject", R"({"spec":{}})",
         R"({"spec":{"nodeSelector":{"$patch":"replace","a":"b"}}})", R"({"spec":{}})"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
