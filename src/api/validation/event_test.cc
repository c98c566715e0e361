#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateEventTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateEventTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateEventTest,
    testing::ValuesIn<KindCase>({
        {"Right",
         R"({"apiVersion":"v1","kind":"Event","involvedObject":{"kind":"Pod","apiVersion":"v1","namespace":"default","name":"p"}})",
         "",
         {}},
        {"OfANode",
         R"({"apiVersion":"v1","kind":"Event","involvedObject":{"kind":"Node","apiVersion":"v1","name":"n"}})",
         "",
         {}},
        {"Elsewhere",
         R"({"apiVersion":"v1","kind":"Event","involvedObject":{"kind":"Pod","apiVersion":"v1","namespace":"other"}})",
         "",
         {R"(involvedObject.namespace: Invalid value: "other": does not match event.namespace)"}},
        {"NoNamespace",
         R"({"apiVersion":"v1","kind":"Event","involvedObject":{"kind":"Pod","apiVersion":"v1"}})",
         "",
         {R"(involvedObject.namespace: Required value: required for kind Pod)"}},
        {"NodeInANamespace",
         R"({"apiVersion":"v1","kind":"Event","involvedObject":{"kind":"Node","apiVersion":"v1","namespace":"default"}})",
         "",
         {R"(involvedObject.namespace: Invalid value: "default": not allowed for kind Node)"}},
        {"UnknownKind",
         R"({"apiVersion":"v1","kind":"Event","involvedObject":{"kind":"Foo","apiVersion":"a.b/v1"}})",
         "",
         {}},
        {"WithATime",
         R"({"apiVersion":"v1","kind":"Event","involvedObject":{},"eventTime":"2026-01-01T00:00:00.000000Z","reportingComponent":"a/b"})",
         "",
         {R"(reportingInstance: Required value)", R"(action: Required value)",
          R"(reason: Required value)"}},
        {"NewApi",
         R"({"apiVersion":"events.k8s.io/v1","kind":"Event","regarding":{},"deprecatedCount":1,"deprecatedSource":{"host":"h"}})",
         "",
         {R"(eventTime: Required value)", R"(type: Invalid value: "": has invalid value: )",
          R"(count: Invalid value: "": needs to be unset)",
          R"(source: Invalid value: "": needs to be unset)"}},
        {"NewApiRight",
         R"({"apiVersion":"events.k8s.io/v1","kind":"Event","regarding":{},"eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"a/b","reportingInstance":"i","action":"Bind","reason":"r","type":"Normal"})",
         "",
         {}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
