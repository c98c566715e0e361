#include "client/event.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::seconds;

Event AnEvent() {
  const Instant now(seconds(1'700'000'000));
  return {.regarding =
              {.api_version = "v1", .kind = "Pod", .namespace_ = "prod", .name = "web", .uid = "u"},
          .type = EventType::Warning,
          .reason = "FailedScheduling",
          .message = "m",
          .source = {.component = "default-scheduler", .host = "h"},
          .action = "Scheduling",
          .name = "web.1",
          .first = now,
          .last = now};
}

TEST(EventTest, IsWrittenAsTheCoreKind) {
  Event event = AnEvent();
  EXPECT_EQ(CoreEventJson(event),
            R"({"apiVersion":"v1","kind":"Event","metadata":{"name":"web.1",)"
            R"("namespace":"prod"},"reason":"FailedScheduling","type":"Warning",)"
            R"("involvedObject":{"kind":"Pod","namespace":"prod",)"
            R"("name":"web","uid":"u","apiVersion":"v1"},"message":"m",)"
            R"("source":{"component":"default-scheduler","host":"h"},)"
            R"("firstTimestamp":"2023-11-14T22:13:20Z","lastTimestamp":"2023-11-14T22:13:20Z",)"
            R"("count":1,"eventTime":null,"reportingComponent":"default-scheduler",)"
            R"("reportingInstance":"h"})");
  event.count = 2;
  event.last += seconds(9);
  EXPECT_EQ(CoreEventPatch(event),
            R"({"count":2,"lastTimestamp":"2023-11-14T22:13:29Z","message":"m"})");
}

TEST(EventTest, IsWrittenAsTheKindWithASeries) {
  Event event = AnEvent();
  event.related = ObjectReference{.kind = "Node", .name = "n1"};
  EXPECT_EQ(SeriesEventJson(event),
            R"({"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"web.1",)"
            R"("namespace":"prod"},"reason":"FailedScheduling","type":"Warning",)"
            R"("regarding":{"kind":"Pod","namespace":"prod","name":"web","uid":"u",)"
            R"("apiVersion":"v1"},"related":{"kind":"Node","name":"n1"},"note":"m",)"
            R"("action":"Scheduling","eventTime":"2023-11-14T22:13:20.000000Z",)"
            R"("reportingController":"default-scheduler",)"
            R"("reportingInstance":"default-scheduler-h"})");
  event.count = 3;
  event.last += seconds(9);
  EXPECT_EQ(SeriesEventPatch(event),
            R"({"series":{"count":3,"lastObservedTime":"2023-11-14T22:13:29.000000Z"}})");
  EXPECT_TRUE(SeriesEventJson(event).contains(R"("series":{"count":3)"));
}

TEST(EventTest, OfAnObjectWithoutANamespaceGoesToDefault) {
  Event event = AnEvent();
  event.regarding.namespace_.clear();
  EXPECT_EQ(event.namespace_(), "default");
}

TEST(ReferenceToTest, NamesTheObject) {
  const ObjectReference reference = ReferenceTo(APod("web", 7, "u"));
  EXPECT_EQ(reference.api_version, "v1");
  EXPECT_EQ(reference.kind, "Pod");
  EXPECT_EQ(reference.namespace_, "default");
  EXPECT_EQ(reference.name, "web");
  EXPECT_EQ(reference.uid, "u");
  EXPECT_EQ(reference.resource_version, "7");
}

}  // namespace
}  // namespace plimsoll::client
