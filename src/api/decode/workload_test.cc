#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(DecodeWorkloadTest, TheFiveKindsShareAView) {
  struct Case {
    std::string api_version, kind, spec;
    WorkloadKind want;
  };
  const std::string pods = R"("template":{"spec":{"nodeName":"n"}})";
  const std::vector<Case> cases{
      {"apps/v1", "Deployment", R"("replicas":3,)", WorkloadKind::Deployment},
      {"apps/v1", "ReplicaSet", R"("replicas":3,)", WorkloadKind::ReplicaSet},
      {"apps/v1", "StatefulSet", R"("replicas":3,)", WorkloadKind::StatefulSet},
      {"apps/v1", "DaemonSet", "", WorkloadKind::DaemonSet},
      {"batch/v1", "Job", R"("parallelism":3,)", WorkloadKind::Job},
  };
  for (const Case& test : cases) {
    const auto object =
        DecodeJson(R"({"apiVersion":")" + test.api_version + R"(","kind":")" + test.kind +
                   R"(","metadata":{"name":"w"},"spec":{"selector":{"matchLabels":{"a":"b"}},)" +
                   test.spec + pods + "}}");
    const Workload* workload = object->As<Workload>();
    ASSERT_NE(workload, nullptr) << test.kind;
    EXPECT_EQ(workload->kind, test.want);
    EXPECT_EQ(workload->metadata.name, "w");
    EXPECT_EQ(workload->pod_template.spec.node_name, "n");
    ASSERT_TRUE(workload->selector.has_value());
    EXPECT_EQ(workload->selector->match_labels.Find("a"), "b");
    EXPECT_EQ(workload->replicas,
              test.want == WorkloadKind::DaemonSet ? std::nullopt : std::optional<std::int64_t>(3));
  }
}

}  // namespace
}  // namespace plimsoll::api
