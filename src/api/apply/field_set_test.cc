#include "api/apply/field_set.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

class FieldSetTest : public testing::Test {
 protected:
  FieldSet Parse(const std::string& json) {
    documents_.push_back(*codec::ParseJson(json));
    auto set = FieldSet::Parse(arena_, documents_.back()->root());
    EXPECT_TRUE(set.has_value()) << json;
    return *std::move(set);
  }
  std::string Json(const FieldSet& set) { return codec::WriteJson(set.Encode(arena_)); }
  std::vector<std::string> Paths(const FieldSet& set) {
    std::vector<std::string> paths;
    set.ForEach([&](std::span<const PathElement> path) { paths.push_back(PathText(path)); });
    return paths;
  }

  codec::Document arena_;
  std::vector<std::unique_ptr<codec::Document>> documents_;
};

TEST_F(FieldSetTest, IsWrittenAsItWasRead) {
  for (
      const std::string json : {
          R"({})",
          R"({"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:replicas":{}}})",
          R"({"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:ports":{".":{},"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{}}}}}}})",
          R"({"f:finalizers":{"v:\"a/b\"":{},"v:\"q\\\"uote\"":{}},"f:x":{"v:1":{},"v:true":{}}})",
          R"({"i:0":{},"i:12":{}})",
      }) {
    EXPECT_EQ(Json(Parse(json)), json);
  }
}

TEST_F(FieldSetTest, IsSortedFieldsKeysValuesIndexes) {
  EXPECT_EQ(
      Json(Parse(
          R"({"i:2":{},"v:\"b\"":{},"v:10":{},"v:9":{},"k:{\"p\":443}":{},"k:{\"p\":80}":{},"f:b":{},"f:a":{}})")),
      R"({"f:a":{},"f:b":{},"k:{\"p\":80}":{},"k:{\"p\":443}":{},"v:9":{},"v:10":{},"v:\"b\"":{},"i:2":{}})");
  EXPECT_EQ(Json(Parse(R"({"k:{\"b\":1,\"a\":2}":{"f:x":{}},"k:{\"a\":2,\"b\":1}":{}})")),
            R"({"k:{\"a\":2,\"b\":1}":{".":{},"f:x":{}}})");
}

TEST_F(FieldSetTest, PassesOverTheFutureAndRefusesTheRest) {
  EXPECT_EQ(Json(Parse(R"({"x:new":{},"f:a":{}})")), R"({"f:a":{}})");
  for (const std::string json : {R"({"":{}})", R"({"fa":{}})", R"({"i:x":{}})", R"({"v:{":{}})",
                                 R"({"k:1":{}})", R"({"f:a":1})", "[]"}) {
    const auto parsed = codec::ParseJson(json);
    const auto set = FieldSet::Parse(arena_, (*parsed)->root());
    ASSERT_FALSE(set.has_value()) << json;
    EXPECT_EQ(set.error().reason, Reason::BadRequest);
  }
}

TEST_F(FieldSetTest, KnowsUnionIntersectionAndDifference) {
  const FieldSet a = Parse(R"({"f:a":{},"f:m":{".":{},"f:x":{},"f:y":{}},"f:z":{"f:k":{}}})");
  const FieldSet b = Parse(R"({"f:b":{},"f:m":{".":{},"f:y":{}},"f:z":{}})");
  EXPECT_EQ(Json(a.Union(b)),
            R"({"f:a":{},"f:b":{},"f:m":{".":{},"f:x":{},"f:y":{}},"f:z":{".":{},"f:k":{}}})");
  EXPECT_EQ(Json(a.Intersection(b)), R"({"f:m":{".":{},"f:y":{}}})");
  EXPECT_EQ(Json(a.Difference(b)), R"({"f:a":{},"f:m":{"f:x":{}},"f:z":{"f:k":{}}})");
  EXPECT_EQ(Json(a.RecursiveDifference(b)), R"({"f:a":{}})");
  EXPECT_TRUE(a.Difference(a).empty());
  EXPECT_EQ(a.Union(b), b.Union(a));
}

TEST_F(FieldSetTest, ASmallSetLosesWhatAMuchLargerOneHas) {
  std::string many = R"({"f:m":{"f:x":{}})";
  for (int i = 10; i < 60; ++i) many += ",\"f:n" + std::to_string(i) + "\":{}";
  const FieldSet large = Parse(many + "}");
  const FieldSet small = Parse(R"({"f:a":{},"f:m":{"f:x":{},"f:y":{}},"f:n33":{}})");
  EXPECT_EQ(Json(small.Difference(large)), R"({"f:a":{},"f:m":{"f:y":{}}})");
  EXPECT_EQ(Json(small.RecursiveDifference(large)), R"({"f:a":{},"f:m":{"f:y":{}}})");
}

TEST_F(FieldSetTest, PrintsPathsLevelByLevel) {
  const FieldSet set = Parse(
      R"({"f:spec":{"f:a":{"f:deep":{}},"f:b":{},"f:c":{"k:{\"name\":\"x\",\"port\":80}":{"f:image":{}}},"f:d":{"v:\"t\"":{},"i:3":{}}}})");
  EXPECT_EQ(Paths(set), (std::vector<std::string>{".spec.b", ".spec.a.deep",
                                                  ".spec.c[name=\"x\",port=80].image",
                                                  ".spec.d[=\"t\"]", ".spec.d[3]"}));
}

TEST_F(FieldSetTest, IsMadeOfNames) {
  const FieldSet set{{"metadata", "name"}, {"kind"}, {"metadata"}};
  EXPECT_EQ(Json(set), R"({"f:kind":{},"f:metadata":{".":{},"f:name":{}}})");
  const std::vector<PathElement> name{PathElement::Field("metadata"), PathElement::Field("name")};
  EXPECT_TRUE(set.Has(name));
  EXPECT_TRUE(set.Has(std::span(name).first(1)));
  EXPECT_FALSE(set.Has(std::span(name).last(1)));
  EXPECT_FALSE(set.Has({}));
}

}  // namespace
}  // namespace plimsoll::api
