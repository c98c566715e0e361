#include "api/status/read_status.h"

#include <gtest/gtest.h>

#include "codec/document.h"

namespace plimsoll::api {
namespace {

TEST(ReadRefusalTest, AnErrorComesBackWithItsReasonAndCauses) {
  for (const Error& error :
       {Error{.reason = Reason::AlreadyExists, .field = {}, .message = "m", .causes = {"A", "B"}},
        Error{.reason = Reason::Conflict, .field = {}, .message = "m", .causes = {}},
        Error{.reason = Reason::NotFound, .field = {}, .message = "m", .causes = {"A"}},
        Error{.reason = Reason::ServiceUnavailable, .field = {}, .message = "m", .causes = {}}}) {
    const StatusObject sent = FromError(error);
    const Error got = ToError(ReadRefusal(sent.code, sent.Json()));
    EXPECT_EQ(got.reason, error.reason);
    EXPECT_EQ(got.message, error.message);
    EXPECT_EQ(got.causes, error.causes);
  }
}

TEST(ReadRefusalTest, ABodyWithoutAStatusIsReadFromItsCode) {
  EXPECT_EQ(ToError(ReadRefusal(404, "no such page")).reason, Reason::NotFound);
  EXPECT_EQ(ToError(ReadRefusal(409, "")).reason, Reason::Conflict);
  EXPECT_EQ(ToError(ReadRefusal(503, "{}")).reason, Reason::ServiceUnavailable);
  EXPECT_EQ(ReadRefusal(500, R"({"kind":"Status","apiVersion":"v1","status":"Success"})").message,
            R"(an error on the server ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",)"
            R"(\"status\":\"Success\"}") has prevented the request from succeeding)");
}

TEST(ReadStatusTest, AnotherKindIsNone) {
  codec::Document document;
  codec::Value root = document.NewObject();
  EXPECT_FALSE(ReadStatus(root).has_value());
  document.Set(root, "kind", codec::Value::String("Status"));
  EXPECT_FALSE(ReadStatus(root).has_value());
  document.Set(root, "apiVersion", codec::Value::String("v1"));
  EXPECT_TRUE(ReadStatus(root).has_value());
}

}  // namespace
}  // namespace plimsoll::api
