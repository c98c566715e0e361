#include <gtest/gtest.h>

#include "api/defaults/defaults_case_for_test.h"

namespace plimsoll::api {
namespace {

std::string AppWith(const std::string& kind, const std::string& spec) {
  return R"({"apiVersion":"apps/v1","kind":")" + kind + R"(","spec":)" + spec + "}";
}

std::string JobWith(const std::string& spec) {
  return R"({"apiVersion":"batch/v1","kind":"Job","spec":)" + spec + "}";
}

class DefaultWorkloadTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultWorkloadTest, AreAnApiServers) { EXPECT_EQ(DefaultsFault(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(
    All, DefaultWorkloadTest,
    testing::ValuesIn<DefaultsCase>({
        {"Deployment", AppWith("Deployment", "{}"), "spec",
         R"({"replicas":1,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":)"
         R"("25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600,)"
         R"("template":)" +
             kEmptyTemplate + "}"},
        {"Recreate", AppWith("Deployment", R"({"strategy":{"type":"Recreate"}})"), "spec.strategy",
         R"({"type":"Recreate"})"},
        {"ReplicaSet", AppWith("ReplicaSet", "{}"), "spec",
         R"({"replicas":1,"template":)" + kEmptyTemplate + "}"},
        {"StatefulSet", AppWith("StatefulSet", R"({"volumeClaimTemplates":[{}]})"), "spec",
         R"({"replicas":1,"revisionHistoryLimit":10,"podManagementPolicy":"OrderedReady",)"
         R"("updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}},)"
         R"("persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain","whenScaled":"Retain"},)"
         R"("volumeClaimTemplates":[{"spec":{"volumeMode":"Filesystem"},"status":{"phase":)"
         R"("Pending"}}],"template":)" +
             kEmptyTemplate + "}"},
        {"DaemonSet", AppWith("DaemonSet", "{}"), "spec",
         R"({"revisionHistoryLimit":10,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":)"
         R"({"maxUnavailable":1,"maxSurge":0}},"template":)" +
             kEmptyTemplate + "}"},
        {"Job", JobWith("{}"), "spec",
         R"({"completionMode":"NonIndexed","suspend":false,"manualSelector":false,"completions":1,)"
         R"("parallelism":1,"backoffLimit":6,"podReplacementPolicy":"TerminatingOrFailed",)"
         R"("template":)" +
             kEmptyTemplate + "}"},
        {"JobWithParallelism",
         JobWith(R"({"parallelism":2,"backoffLimitPerIndex":1,"template":)" + kEmptyTemplate +
                 R"(,"podFailurePolicy":{"rules":[]}})"),
         "spec",
         R"({"completionMode":"NonIndexed","suspend":false,"manualSelector":false,"parallelism":2,)"
         R"("backoffLimitPerIndex":1,"backoffLimit":2147483647,"podReplacementPolicy":"Failed",)"
         R"("podFailurePolicy":{"rules":[]},"template":)" +
             kEmptyTemplate + "}"},
        {"JobLabels",
         R"({"apiVersion":"batch/v1","kind":"Job","spec":{"template":{"metadata":{"labels":)"
         R"({"a":"b"}}}}})",
         "metadata", R"({"labels":{"a":"b"}})"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
