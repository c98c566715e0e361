#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kEvictions =
    "/apis/lifecycle.k8s.io/v1alpha1/namespaces/default/evictions";

TEST(LifecycleTest, AnEvictionStartsWithoutStatus) {
  WriterFixture server;
  const TestAnswer made = server.Post(
      kEvictions, R"({"metadata":{"name":"e"},"spec":{"target":{"pod":{"name":"p","uid":"u"}}},)"
                  R"("status":{"requesters":[{"name":"a.io/b","intent":"Eviction"}]}})");
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("status"), "{}");
}

TEST(LifecycleTest, TimesOfRespondersAreCheckedAgainstTheClock) {
  WriterFixture server;
  const std::string path = std::string(kEvictions) + "/e/status";
  ASSERT_EQ(server
                .Post(kEvictions, R"({"metadata":{"name":"e"},"spec":{"target":{"pod":)"
                                  R"({"name":"p","uid":"u"}}}})")
                .code,
            201);
  const auto report = [&](std::string_view members) {
    return server.Patch(
        path,
        R"({"status":{"targetResponders":[{"name":"a.io/b","priority":1000,"state":"Active"}],)"
        R"("responders":[{"name":"a.io/b")" +
            std::string(members) + "}]}}",
        "merge-patch+json");
  };
  EXPECT_EQ(report(R"(,"heartbeatTime":"2026-03-01T12:00:00Z")").code, 200);
  server.clock().Advance(std::chrono::seconds(10));
  const TestAnswer soon = report(R"(,"heartbeatTime":"2026-03-01T12:00:10Z")");
  EXPECT_EQ(soon.code, 422);
  EXPECT_TRUE(soon.message().contains(
      "status.responders[0].heartbeatTime: Invalid value: \"2026-03-01T12:00:10Z\": must be at "
      "least 20s after the previous heartbeat"))
      << soon.body;
  const TestAnswer ahead = report(R"(,"heartbeatTime":"2099-01-01T00:00:00Z")");
  EXPECT_TRUE(ahead.message().contains("must not be in the future")) << ahead.body;
  const TestAnswer past = report(R"(,"heartbeatTime":"2026-03-01T12:00:00Z",)"
                                 R"("expectedCompletionTime":"2026-03-01T11:00:00Z")");
  EXPECT_TRUE(past.message().contains("must not be in the past")) << past.body;
  server.clock().Advance(std::chrono::seconds(10));
  EXPECT_EQ(report(R"(,"heartbeatTime":"2026-03-01T12:00:20Z",)"
                   R"("expectedCompletionTime":"2026-03-01T12:01:00Z")")
                .code,
            200);
}

TEST(LifecycleTest, AReservedRequesterGetsAWarning) {
  WriterFixture server;
  const auto post = [&](std::string_view requester) {
    return server.Post("/apis/lifecycle.k8s.io/v1alpha1/namespaces/default/evictionrequests",
                       R"({"metadata":{"generateName":"r"},"spec":{"intent":"Eviction",)"
                       R"("target":{"pod":{"name":"p","uid":"u"}},"requester":")" +
                           std::string(requester) + "\"}}");
  };
  const TestAnswer reserved = post("kubectl.k8s.io/drain");
  EXPECT_EQ(reserved.code, 201) << reserved.body;
  EXPECT_THAT(reserved.warnings, testing::ElementsAre(testing::HasSubstr("reserved")));
  EXPECT_THAT(post("acme.io/drain").warnings, testing::IsEmpty());
}

}  // namespace
}  // namespace plimsoll::apiserver
