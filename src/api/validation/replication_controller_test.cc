#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateReplicationControllerTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateReplicationControllerTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateReplicationControllerTest,
    testing::ValuesIn<KindCase>({
        {"Right",
         R"({"apiVersion":"v1","kind":"ReplicationController","spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})",
         "",
         {}},
        {"NoTemplate",
         R"({"apiVersion":"v1","kind":"ReplicationController","spec":{"replicas":-1}})",
         "",
         {R"(spec.selector: Required value)",
          R"(spec.replicas: Invalid value: -1: must be greater than or equal to 0)",
          R"(spec.template: Required value)"}},
        {"Mismatch",
         R"({"apiVersion":"v1","kind":"ReplicationController","spec":{"selector":{"a":"c"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})",
         "",
         {R"(spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`)"}},
        {"Template",
         R"({"apiVersion":"v1","kind":"ReplicationController","spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}],"restartPolicy":"Never","activeDeadlineSeconds":1}}}})",
         "",
         {R"(spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always")",
          R"(spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported)"}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
