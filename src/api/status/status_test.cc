#include "api/status/status.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

struct TextCase {
  std::string name;
  StatusObject status;
  int code;
  std::string reason;
  std::string message;
};

class StatusTextTest : public testing::TestWithParam<TextCase> {};

TEST_P(StatusTextTest, SpeaksAsUpstreamDoes) {
  const TextCase& test = GetParam();
  EXPECT_EQ(test.status.code, test.code);
  EXPECT_EQ(test.status.reason, test.reason);
  EXPECT_EQ(test.status.message, test.message);
  EXPECT_FALSE(test.status.is_success);
}

const StatusSubject kPod{"", "pods", "x"};
const StatusSubject kDeployment{"apps", "deployments", "x"};

INSTANTIATE_TEST_SUITE_P(
    All, StatusTextTest,
    testing::ValuesIn<TextCase>({
        {"NotFound", NotFound(kPod), 404, "NotFound", "pods \"x\" not found"},
        {"NotFoundInAGroup", NotFound(kDeployment), 404, "NotFound",
         "deployments.apps \"x\" not found"},
        {"AlreadyExists", AlreadyExists(kPod), 409, "AlreadyExists", "pods \"x\" already exists"},
        {"Modified", Modified(kPod), 409, "Conflict",
         "Operation cannot be fulfilled on pods \"x\": the object has been modified; please apply "
         "your changes to the latest version and try again"},
        {"Forbidden", Forbidden(kPod, "no"), 403, "Forbidden", "pods \"x\" is forbidden: no"},
        {"ForbiddenWithoutName", Forbidden({"", "pods", ""}, "no"), 403, "Forbidden",
         "pods is forbidden: no"},
        {"ForbiddenPath", Forbidden({}, "no"), 403, "Forbidden", "forbidden: no"},
        {"MethodNotSupported", MethodNotSupported("", "pods", "patch"), 405, "MethodNotAllowed",
         "patch is not supported on resources of kind \"pods\""},
        {"TooLargeRevision", TooLargeRevision(9, 5), 504, "Timeout",
         "Timeout: Too large resource version: 9, current: 5"},
        {"InternalError", InternalError("boom"), 500, "InternalError",
         "Internal error occurred: boom"},
        {"FromError", FromError({Reason::Expired, "", "too old"}), 410, "Expired", "too old"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(StatusObjectTest, GoesOnTheWireInUpstreamsOrder) {
  FieldErrors errors;
  const FieldPath spec("spec");
  errors.Invalid(spec / "x", "a\"b", "must be c");
  EXPECT_EQ(Invalid("", "Pod", "web", errors).Json(),
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
            R"("message":"Pod \"web\" is invalid: spec.x: Invalid value: \"a\\\"b\": must be c",)"
            R"("reason":"Invalid","details":{"name":"web","kind":"Pod","causes":[)"
            R"({"reason":"FieldValueInvalid","message":"Invalid value: \"a\\\"b\": must be c",)"
            R"("field":"spec.x"}]},"code":422})");
}

TEST(StatusObjectTest, AnEmptyPathHasEmptyDetails) {
  EXPECT_EQ(NoSuchPath().Json(),
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
            R"("message":"the server could not find the requested resource","reason":"NotFound",)"
            R"("details":{},"code":404})");
}

TEST(StatusObjectTest, SuccessSaysWhatWasDeleted) {
  EXPECT_EQ(Success(200, StatusDetails{.name = "x",
                                       .group = {},
                                       .kind = "pods",
                                       .uid = "u",
                                       .causes = {},
                                       .retry_after_seconds = 0})
                .Json(),
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success",)"
            R"("details":{"name":"x","kind":"pods","uid":"u"}})");
  EXPECT_EQ(Success(201).Json(),
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})");
}

TEST(ToErrorTest, KeepsReasonAndCauses) {
  StatusObject refusal = Forbidden({"", "pods", "p"}, "its namespace is being deleted");
  refusal.details->causes.push_back({"NamespaceTerminating", "m", "metadata.namespace"});
  const Error error = ToError(refusal);
  EXPECT_EQ(error.reason, Reason::Forbidden);
  EXPECT_EQ(error.message, refusal.message);
  EXPECT_TRUE(error.HasCause("NamespaceTerminating"));
  EXPECT_FALSE(error.HasCause("Other"));
  EXPECT_EQ(FromError(error).details->causes[0].reason, "NamespaceTerminating");
}

TEST(ToErrorTest, EveryReasonSurvivesTheWayThere) {
  for (int i = 0; i <= static_cast<int>(Reason::InternalError); ++i) {
    const auto reason = static_cast<Reason>(i);
    EXPECT_EQ(ToError(FromError({reason, "", "m"})).reason, reason) << i;
  }
  const StatusObject full = FromError({Reason::NoSpace, "", "etcdserver: mvcc: no space"});
  EXPECT_EQ(full.code, 500);
  EXPECT_EQ(full.reason, "");
  EXPECT_EQ(full.message, "etcdserver: mvcc: no space");
}

TEST(ToErrorTest, ACodeAloneIsEnough) {
  const std::pair<int, Reason> kCases[] = {
      {400, Reason::BadRequest},    {404, Reason::NotFound},      {408, Reason::Timeout},
      {409, Reason::Conflict},      {410, Reason::Expired},       {418, Reason::BadRequest},
      {500, Reason::InternalError}, {502, Reason::InternalError}, {504, Reason::Timeout}};
  for (const auto& [code, reason] : kCases) {
    StatusObject refusal;
    refusal.code = code;
    EXPECT_EQ(ToError(refusal).reason, reason) << code;
  }
}

}  // namespace
}  // namespace plimsoll::api
