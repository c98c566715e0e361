#include "api/apply/check_config.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

TEST(CheckConfigTest, FindsWhatTheTypeDoesNotHave) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"metadata":{"labels":{"any":"x"}},"spec":{"tolerations":[{"key":"a"},{"key":"a"}]}})",
       ""},
      {R"({"metadata":null,"spec":{"nodeName":null,"priority":1}})", ""},
      {R"("x")", "expected map, got &{x}"},
      {R"({"metadata":"x"})", ".metadata: expected map, got &{x}"},
      {R"({"metadata":{"labels":["x"]}})", ".metadata.labels: expected map, got &{[x]}"},
      {R"({"spec":{"containers":{"a":1}}})", ".spec.containers: expected list, got &{map[a:1]}"},
      {R"({"metadata":{"labels":{"a":8080}}})",
       ".metadata.labels.a: expected string, got &value.valueUnstructured{Value:8080}"},
      {R"({"spec":{"priority":"1"}})",
       ".spec.priority: expected numeric (int or float), got string"},
      {R"({"spec":{"hostPID":"yes"}})", ".spec.hostPID: expected boolean, got &{yes}"},
      {R"({"foo":1})", ".foo: field not declared in schema"},
      {R"({"spec":{"tolerations":[{},{"foo":1}]}})",
       ".spec.tolerations[1].foo: field not declared in schema"},
      {R"({"metadata":{"finalizers":["a","a"]}})",
       ".metadata.finalizers: duplicate entries for key [=\"a\"]"},
      {R"({"spec":{"volumes":[1,{"name":"v","foo":1}]}})",
       "errors:\n  .spec.volumes: element 0: associative list with keys may not have non-map "
       "elements\n  .spec.volumes[name=\"v\"].foo: field not declared in schema"},
  };
  for (const auto& [json, want] : cases) {
    const auto config = codec::ParseJson(json);
    EXPECT_EQ(CheckConfig((*config)->root(), *FindKind("", "v1", "Pod")->type), want) << json;
  }
}

TEST(CheckConfigTest, ShowsNoValuesOfASecret) {
  const auto config = codec::ParseJson(R"({"data":{"a":["x"]},"stringData":"y"})");
  EXPECT_EQ(CheckConfig((*config)->root(), *FindKind("", "v1", "Secret")->type),
            "errors:\n  .data.a: expected string, got &value.valueUnstructured{Value:<value "
            "omitted>}\n  .stringData: expected map, got &{<value omitted>}");
}

}  // namespace
}  // namespace plimsoll::api
