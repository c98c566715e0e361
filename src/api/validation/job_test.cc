#include "api/validation/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateJobTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateJobTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateJobTest,
    testing::ValuesIn<KindCase>(
        {
            {"Right",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completions":1,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             "",
             {}},
            {"Numbers",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completions":-1,"backoffLimit":-2,"backoffLimitPerIndex":1,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             "",
             {R"(spec.completions: Invalid value: -1: must be greater than or equal to 0)",
              R"(spec.backoffLimit: Invalid value: -2: must be greater than or equal to 0)",
              R"(spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode)"}},
            {"Indexed",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completionMode":"Indexed","parallelism":1,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             "",
             {R"(spec.completions: Required value: when completion mode is Indexed)"}},
            {"Mode",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completionMode":"x","template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             "",
             {R"(spec.completionMode: Unsupported value: "x": supported values: "Indexed", "NonIndexed")"}},
            {"CompletionsStay",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completions":2,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completions":1,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             {R"(spec.completions: Invalid value: 2: field is immutable)"}},
            {"Elastic",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completions":2,"parallelism":2,"completionMode":"Indexed","template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completions":1,"parallelism":1,"completionMode":"Indexed","template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             {}},
            {"ModeStays",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completions":2,"parallelism":1,"completionMode":"Indexed","template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"completions":2,"parallelism":1,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             {R"(spec.completionMode: Invalid value: "Indexed": field is immutable)"}},
            {"ASuspendedJobMayMove",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","nodeSelector":{"a":"b"},"containers":[{"name":"c","image":"i"}]}}}})",
             R"({"apiVersion":"batch/v1","kind":"Job","spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})",
             {}},
            {"AStartedJobStaysWhenItIsSuspended", R"({"apiVersion":"batch/v1","kind":"Job","spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","nodeSelector":{"a":"b"},"containers":[{"name":"c","image":"i"}]}}},"status":{"startTime":"2026-03-01T12:00:00Z"}})", R"({"apiVersion":"batch/v1","kind":"Job","spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}},"status":{"startTime":"2026-03-01T12:00:00Z"}})", {R"(spec.template: Invalid value: {"spec":{"restartPolicy":"Never","nodeSelector":{"a":"b"},"containers":[{"name":"c","image":"i","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}: field is immutable)"}},
        }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
