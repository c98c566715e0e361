#include "api/apply/merge_trees.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

const TypeDesc& Pod() { return *FindKind("", "v1", "Pod")->type; }

struct MergeCase {
  std::string name;
  std::string live;
  std::string config;
  std::string want;
};

class MergeTreesTest : public testing::TestWithParam<MergeCase> {};

TEST_P(MergeTreesTest, Merges) {
  const MergeCase& test = GetParam();
  const auto live = codec::ParseJson(test.live);
  const auto config = codec::ParseJson(test.config);
  codec::Document out;
  EXPECT_EQ(codec::WriteJson(MergeTrees(out, (*live)->root(), (*config)->root(), Pod())),
            test.want);
}

std::string Finalizers(const std::string& list) {
  return R"({"metadata":{"finalizers":)" + list + "}}";
}

INSTANTIATE_TEST_SUITE_P(
    All, MergeTreesTest,
    testing::ValuesIn<MergeCase>({
        {"Members", R"({"spec":{"nodeName":"n","hostname":"h"}})",
         R"({"spec":{"hostname":"i","priority":1}})",
         R"({"spec":{"nodeName":"n","hostname":"i","priority":1}})"},
        {"AtomicStructsAreReplaced", R"({"spec":{"nodeSelector":{"a":"1"}}})",
         R"({"spec":{"nodeSelector":{"b":"1"}}})", R"({"spec":{"nodeSelector":{"b":"1"}}})"},
        {"NullStays", R"({"spec":{"nodeName":"n"}})", R"({"spec":{"nodeName":null}})",
         R"({"spec":{"nodeName":null}})"},
        {"ANullObjectTakesNothingAway", R"({"metadata":{"name":"a"},"spec":{"nodeName":"n"}})",
         R"({"metadata":null,"spec":null})",
         R"({"metadata":{"name":"a"},"spec":{"nodeName":"n"}})"},
        {"ANullListTakesNothingAway", Finalizers(R"(["a"])"), Finalizers("null"),
         Finalizers(R"(["a"])")},
        {"NullMeetsEmpty", R"({"metadata":{},"spec":{}})", R"({"metadata":null})",
         R"({"metadata":null,"spec":{}})"},
        {"AnEmptyListTakesNothingAway", Finalizers(R"(["a"])"), Finalizers("[]"),
         Finalizers(R"(["a"])")},
        {"TheConfigurationOrders", Finalizers(R"(["a","b","c"])"), Finalizers(R"(["c","a"])"),
         Finalizers(R"(["b","c","a"])")},
        {"LiveOnesKeepTheirNeighbours", Finalizers(R"(["a","x","b","y"])"),
         Finalizers(R"(["a","b"])"), Finalizers(R"(["a","x","b","y"])")},
        {"NewOnesStandBeforeTheNextShared", Finalizers(R"(["a","b"])"),
         Finalizers(R"(["a","n","b"])"), Finalizers(R"(["a","n","b"])")},
        {"NewOnesStandLast", Finalizers(R"(["a","x"])"), Finalizers(R"(["a","n"])"),
         Finalizers(R"(["a","x","n"])")},
        {"RepeatedOnesCountOnce", Finalizers(R"(["a","a","x","x"])"), Finalizers(R"(["a","a"])"),
         Finalizers(R"(["a","x"])")},
        {"KeysHaveDefaults",
         R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":1,"protocol":"TCP"},{"containerPort":1,"protocol":"UDP"}]}]}})",
         R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":1,"hostPort":2}]}]}})",
         R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":1,"protocol":"TCP","hostPort":2},{"containerPort":1,"protocol":"UDP"}]}]}})"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(RemoveFieldsTest, TakesMembersElementsAndWhatIsLeftEmpty) {
  const auto tree = codec::ParseJson(
      R"({"metadata":{"labels":{"a":"1"},"finalizers":["x","y"]},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"},{"name":"d"}]}})");
  const auto fields = codec::ParseJson(
      R"({"f:metadata":{"f:labels":{"f:a":{}},"f:finalizers":{"v:\"x\"":{}}},"f:spec":{"f:nodeName":{},"f:containers":{"k:{\"name\":\"c\"}":{"f:image":{}},"k:{\"name\":\"d\"}":{}}}})");
  codec::Document out;
  const FieldSet set = *FieldSet::Parse(out, (*fields)->root());
  EXPECT_EQ(codec::WriteJson(RemoveFields(out, (*tree)->root(), set, Pod())),
            R"({"metadata":{"finalizers":["y"]},"spec":{"containers":[{"name":"c"}]}})");
  EXPECT_EQ(
      codec::WriteJson(RemoveFields(out, (*tree)->root(), FieldSet{{"metadata"}, {"spec"}}, Pod())),
      "{}");
}

TEST(WithNamedFieldsTest, AddsFieldsOfStructsAndNoOthers) {
  const auto fields = codec::ParseJson(
      R"({"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{"f:resources":{"f:limits":{"f:cpu":{}}}}}}})");
  codec::Document out;
  const FieldSet set = *FieldSet::Parse(out, (*fields)->root());
  EXPECT_EQ(
      codec::WriteJson(WithStructFieldsAsMembers(set, Pod()).Encode(out)),
      R"({"f:metadata":{".":{},"f:labels":{".":{},"f:a":{}}},"f:spec":{".":{},"f:containers":{".":{},"k:{\"name\":\"c\"}":{"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{}}}}}}})");
}

}  // namespace
}  // namespace plimsoll::api
