#include "apiserver/write/versions.h"

#include <gtest/gtest.h>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kEvents = "/apis/events.k8s.io/v1/namespaces/default/events";

std::string Event(std::string_view note) {
  return R"({"metadata":{"name":"e"},"eventTime":"2026-03-01T12:00:00.000000Z",)"
         R"("reportingController":"example.com/c","reportingInstance":"i","action":"Run",)"
         R"("reason":"Started","regarding":{"kind":"Pod","namespace":"default","name":"web"},)"
         R"("type":"Normal","note":")" +
         std::string(note) + "\"}";
}

TEST(VersionsTest, AnEventIsOneObjectUnderTwoNames) {
  WriterFixture server;
  const TestAnswer made = server.Post(kEvents, Event("hello"));
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.At("apiVersion"), "events.k8s.io/v1");
  EXPECT_EQ(made.At("note"), "hello");
  const ObjectPtr stored = server.Stored("events", "e");
  ASSERT_NE(stored, nullptr);
  EXPECT_NE(stored->bytes()->find(R"("message":"hello")"), std::string::npos);
  EXPECT_NE(stored->bytes()->find(R"("involvedObject":{)"), std::string::npos);

  const TestAnswer patched = server.Patch(std::string(kEvents) + "/e",
                                          R"({"series":{"count":2,"lastObservedTime":)"
                                          R"("2026-03-01T12:00:01.000000Z"}})",
                                          "merge-patch+json");
  EXPECT_EQ(patched.code, 200) << patched.body;
  EXPECT_EQ(patched.At("series", "count"), "2");
  EXPECT_EQ(patched.At("note"), "hello");
  EXPECT_EQ(server.Put(std::string(kEvents) + "/e?dryRun=All", Event("hello")).At("note"), "hello");
  EXPECT_EQ(server.Delete(std::string(kEvents) + "/e").At("details", "group"), "events.k8s.io");
  EXPECT_EQ(server.Delete(std::string(kEvents) + "/e").message(),
            R"(events.events.k8s.io "e" not found)");
}

}  // namespace
}  // namespace plimsoll::apiserver
