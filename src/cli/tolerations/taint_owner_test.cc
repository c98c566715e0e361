#include "cli/tolerations/taint_owner.h"

#include <gtest/gtest.h>

#include "dra/device_cluster_for_test.h"

namespace plimsoll::cli {
namespace {

using Owners = std::vector<std::string>;

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
    const auto node = dra::DecodeYaml(
        std::string(
            "{apiVersion: v1, kind: Node, metadata: {name: n1, managedFields: [{manager: m, "
            "operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: ") +
        test.fields + "}]}}");
    EXPECT_EQ(OwnersOfTaint(*node, {.key = "k", .value = "v", .effect = "NoSchedule"}), test.want)
        << test.fields;
  }
  EXPECT_EQ(OwnersOfTaint(*dra::DecodeYaml("{apiVersion: v1, kind: Node, metadata: {name: n1}}"),
                          {.key = "k"}),
            Owners());
}

}  // namespace
}  // namespace plimsoll::cli
