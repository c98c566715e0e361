#include "api/core/service.h"

#include <gtest/gtest.h>

#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(ServiceTest, ReadsTheLabelsThatItsPodsHave) {
  const auto service = DecodeJson(R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},)"
                                  R"("spec":{"selector":{"b":"2","a":"1"}}})");
  EXPECT_EQ(SelectedLabels(*service), (StringMap{{"a", "1"}, {"b", "2"}}));

  const auto controller =
      DecodeJson(R"({"apiVersion":"v1","kind":"ReplicationController","metadata":{"name":"r"},)"
                 R"("spec":{"selector":{"a":"1"}}})");
  EXPECT_EQ(SelectedLabels(*controller), (StringMap{{"a", "1"}}));
}

TEST(ServiceTest, HasNoneWithoutSelector) {
  for (const char* spec :
       {"{}", R"({"spec":{}})", R"({"spec":{"selector":null}})", R"({"spec":{"selector":{}}})"}) {
    std::string json = R"({"apiVersion":"v1","kind":"Service")";
    const std::string rest(spec + 1);
    json += rest == "}" ? rest : "," + rest;
    EXPECT_TRUE(SelectedLabels(*DecodeJson(json)).empty()) << json;
  }
}

}  // namespace
}  // namespace plimsoll::api
