#include "api/core/taint_owner.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/assert.h"
#include "codec/yaml.h"

namespace plimsoll::api {
namespace {

using Owners = std::vector<std::string>;

std::shared_ptr<const Object> DecodeYaml(const std::string& yaml) {
  auto documents = codec::ParseYaml(yaml);
  PL_ASSERT(documents.has_value() && documents->size() == 1);
  const auto decoded = DecodeObject(std::move(documents->front()));
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

TEST(TaintOwnerTest, ReadsManagedFields) {
  const struct {
    const char* fields;
    Owners want;
  } kCases[] = {
      {R"({"f:spec": {"f:taints": {}}})", {"m"}},
      {R"({"f:spec": {"f:taints": {".": {}}}})", {"m"}},
      {R"({"f:spec": {"f:taints": {"k:{\"effect\":\"NoSchedule\",\"key\":\"k\"}": {".": {}}}}})",
       {"m"}},
      {R"({"f:spec": {"f:taints": {"k:{\"effect\":\"NoExecute\",\"key\":\"k\"}": {".": {}}}}})",
       {}},
      {R"({"f:spec": {"f:taints": {"k:{\"key\":7}": {}}}})", {}},
      {R"({"f:spec": {"f:unschedulable": {}}})", {}},
      {R"({"f:spec": {"f:taints": 7}})", {}},
      {R"({})", {}},
  };
  for (const auto& test : kCases) {
    const auto node = DecodeYaml(
        std::string(
            "{apiVersion: v1, kind: Node, metadata: {name: n1, managedFields: [{manager: m, "
            "operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: ") +
        test.fields + "}]}}");
    EXPECT_EQ(OwnersOfTaint(*node, {.key = "k", .value = "v", .effect = "NoSchedule"}), test.want)
        << test.fields;
  }
  EXPECT_EQ(OwnersOfTaint(*DecodeYaml("{apiVersion: v1, kind: Node, metadata: {name: n1}}"),
                          {.key = "k"}),
            Owners());
}

}  // namespace
}  // namespace plimsoll::api
