#include "client/response_parser.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "api/status/read_status.h"
#include "client/fake_server_for_test.h"
#include "client/limits.h"
#include "client/watch_reader.h"
#include "codec/json.h"

namespace plimsoll::client {
namespace {

TEST(ReadObjectTest, ReadsWhatTheServerSentWithoutDefaultsOfOurs) {
  const Result<ObjectPtr> pod = ReadObject(PodJson("web", 7));
  ASSERT_TRUE(pod.has_value()) << pod.error().Text();
  EXPECT_EQ((*pod)->metadata().resource_version, "7");
  EXPECT_NE((*pod)->As<api::Pod>(), nullptr);
  EXPECT_EQ((*pod)->tree().Find("spec")->Find("restartPolicy"), nullptr);
}

TEST(ReadObjectTest, FieldsOfALaterServerAreNoFault) {
  EXPECT_TRUE(ReadObject(R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"n"},"new":1})"));
  EXPECT_FALSE(ReadObject("<html>"));
}

TEST(ReadListTest, ItemsThatDoNotNameTheirKindAreOfTheLists) {
  const Result<api::ObjectList> list = ReadList(
      R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"c"},)"
      R"("items":[{"metadata":{"name":"a"}},{"kind":"Node","apiVersion":"v1","metadata":{"name":"b"}}]})",
      Nodes());
  ASSERT_TRUE(list.has_value()) << list.error().Text();
  EXPECT_EQ(list->resource_version, "9");
  EXPECT_EQ(list->continue_token, "c");
  ASSERT_EQ(list->objects.size(), 2u);
  EXPECT_EQ(codec::WriteJson(list->objects[0]->tree()),
            R"({"metadata":{"name":"a"},"kind":"Node","apiVersion":"v1"})");
  EXPECT_EQ(list->objects[1]->metadata().name, "b");
}

TEST(ReadListTest, AnItemOfAnotherKindIsRefused) {
  const Result<api::ObjectList> list = ReadList(ListJson(9, {PodJson("a", 1)}), Nodes());
  ASSERT_FALSE(list.has_value());
  EXPECT_EQ(list.error().message, "the server sent a Pod in place of a Node");
}

TEST(ReadListTest, AnObjectIsNoList) {
  EXPECT_FALSE(ReadList(PodJson("web", 1), Pods()).has_value());
}

struct RefusalCase {
  std::string name;
  int status;
  std::string body;
  std::string retry_after;
  int want_code;
  std::string want_reason;
  std::string want_message;
  int want_retry_after = 0;
};

class ReadRefusalTest : public testing::TestWithParam<RefusalCase> {};

TEST_P(ReadRefusalTest, Reads) {
  const RefusalCase& test = GetParam();
  net::ClientResponse response{.status = test.status, .headers = {}, .body = test.body};
  if (!test.retry_after.empty()) response.headers.Add("Retry-After", test.retry_after);
  const api::StatusObject got = ReadRefusal(response);
  EXPECT_EQ(got.code, test.want_code);
  EXPECT_EQ(got.reason, test.want_reason);
  EXPECT_EQ(got.message, test.want_message);
  EXPECT_FALSE(got.is_success);
  EXPECT_EQ(got.details ? got.details->retry_after_seconds : 0, test.want_retry_after);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReadRefusalTest,
    testing::ValuesIn<RefusalCase>({
        {"AStatus", 404, api::NotFound({"", "pods", "web"}).Json(), "", 404, "NotFound",
         "pods \"web\" not found"},
        {"AStatusWithoutCode", 409,
         R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","message":"m"})",
         "", 409, "Conflict", "m"},
        {"RetryAfterOfTheStatus", 429, api::TooManyRequests("slow", 3).Json(), "5", 429,
         "TooManyRequests", "slow", 3},
        {"RetryAfterOfTheHeader", 503, "busy", "5", 503, "ServiceUnavailable",
         "the server is currently unable to handle the request", 5},
        {"NoStatus", 404, "404 page not found", "", 404, "NotFound",
         "the server could not find the requested resource"},
        {"AServersFault", 500, "oh \"no\"", "", 500, "InternalError",
         "an error on the server (\"oh \\\"no\\\"\") has prevented the request from succeeding"},
        {"ALongText", 500, std::string(api::kErrorBodyBytesMax + 1, 'x'), "", 500, "InternalError",
         "an error on the server (\"" + std::string(api::kErrorBodyBytesMax, 'x') +
             "\") has prevented the request from succeeding"},
        {"ARedirect", 302, "", "", 302, "Unknown",
         "the server responded with the status code 302 but did not return more information"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ReadRefusalTest, ReadsDetailsAndCauses) {
  const net::ClientResponse response{
      .status = 422,
      .headers = {},
      .body = R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid",)"
              R"("message":"m","code":422,"details":{"name":"web","group":"apps","kind":"K",)"
              R"("uid":"u","causes":[{"reason":"FieldValueInvalid","message":"c","field":"f"}]}})"};
  const api::StatusObject got = ReadRefusal(response);
  ASSERT_TRUE(got.details.has_value());
  EXPECT_EQ(got.details->name, "web");
  EXPECT_EQ(got.details->group, "apps");
  EXPECT_EQ(got.details->kind, "K");
  EXPECT_EQ(got.details->uid, "u");
  ASSERT_EQ(got.details->causes.size(), 1u);
  EXPECT_EQ(got.details->causes[0].field, "f");
}

struct EventCase {
  std::string name;
  std::string line;
  std::string want;  // type and object, or the error
};

std::string Describe(const api::Answer<api::WatchEvent>& event) {
  if (!event) return std::to_string(event.error().code) + " " + event.error().message;
  if (event->type == api::WatchEvent::Type::Bookmark) {
    return "bookmark " + event->resource_version + (event->ends_initial_events ? " end" : "");
  }
  const std::string type = event->type == api::WatchEvent::Type::Added      ? "added "
                           : event->type == api::WatchEvent::Type::Modified ? "modified "
                                                                            : "deleted ";
  return type + std::string(event->object->metadata().name);
}

const UnreadFields kAllRead;

class ReadWatchEventTest : public testing::TestWithParam<EventCase> {};

TEST_P(ReadWatchEventTest, Reads) {
  EXPECT_EQ(
      Describe(ReadWatchEvent(GetParam().line, Pods(), kAllRead)).substr(0, GetParam().want.size()),
      GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReadWatchEventTest,
    testing::ValuesIn<EventCase>({
        {"Added", EventLine("ADDED", PodJson("a", 1)), "added a"},
        {"Modified", EventLine("MODIFIED", PodJson("a", 1)), "modified a"},
        {"Deleted", EventLine("DELETED", PodJson("a", 1)), "deleted a"},
        {"Bookmark", BookmarkLine(12), "bookmark 12"},
        {"LastOfTheInitial", BookmarkLine(12, true), "bookmark 12 end"},
        {"Error", EventLine("ERROR", api::Expired("too old").Json()), "410 too old"},
        {"UnknownType", EventLine("RENAMED", PodJson("a", 1)),
         "500 Internal error occurred: unable to decode a watch event: its type is \"RENAMED\""},
        {"NoObject", R"({"type":"ADDED"})",
         "500 Internal error occurred: unable to decode a watch event: it has no object"},
        {"BookmarkOfNothing", EventLine("BOOKMARK", R"({"metadata":{}})"),
         "500 Internal error occurred: unable to decode a watch event: a bookmark has no "
         "resourceVersion"},
        {"NoJson", "x", "500 Internal error occurred: unable to decode a watch event: "},
        {"NoKind", EventLine("ADDED", "{}"), "500 "},
        {"AnotherKind",
         EventLine("ADDED", R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"n"}})"),
         "500 Internal error occurred: unable to decode a watch event: the server sent a Node in "
         "place of a Pod"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ReadWatchEventTest, LeavesOutManagedFieldsAlone) {
  const auto event = ReadWatchEvent(
      R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a",)"
      R"("managedFields":[{"manager":"kubectl","fieldsV1":{"f:spec":{}}}],)"
      R"("labels":{"managedFields":"kept"}}}})",
      Pods(), kAllRead);
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(codec::WriteJson(event->object->tree()),
            R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a",)"
            R"("labels":{"managedFields":"kept"}}})");
}

TEST(ReadWatchEventTest, LeavesOutWhatNobodyLooksAt) {
  constexpr std::array<std::string_view, 3> kUnread{"spec.containers", "status",
                                                    "spec.securityContext.sysctls"};
  const auto event = ReadWatchEvent(
      R"({"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a",)"
      R"("annotations":{"status":"{}"}},"spec":{"containers":[{"name":"c","env":[]}],)"
      R"("nodeName":"n","securityContext":{"sysctls":[{"name":"x"}],"runAsUser":1}},"status":{"phase":"Running"}}})",
      Pods(), UnreadFields(kUnread));
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(
      codec::WriteJson(event->object->tree()),
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a",)"
      R"("annotations":{"status":"{}"}},"spec":{"nodeName":"n","securityContext":{"runAsUser":1}}})");
}

TEST(ReadWatchEventTest, OfADeletionOnlyWhatNamesTheObjectIsRead) {
  const auto event = ReadWatchEvent(EventLine("DELETED", PodJson("a", 1)), Pods(), kAllRead);
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->object->metadata().uid, "a");
  EXPECT_EQ(event->object->metadata().resource_version, "1");
  EXPECT_EQ(event->object->tree().Find("spec"), nullptr);
}

class Collector final : public WatchSink {
 public:
  bool OnEvent(api::WatchEvent event) override {
    events.push_back(Describe(std::move(event)));
    return events.size() < events_max;
  }
  std::vector<std::string> events;
  std::size_t events_max = 100;
};

TEST(WatchReaderTest, PiecesMayBeCutAnywhere) {
  const std::string text =
      EventLine("ADDED", PodJson("a", 1)) + EventLine("DELETED", PodJson("a", 2)) + BookmarkLine(3);
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{100}, text.size()}) {
    Collector collector;
    WatchReader reader(collector, Pods());
    reader.OnHead(200, {});
    for (std::size_t at = 0; at < text.size(); at += size) {
      EXPECT_TRUE(reader.OnPiece({MakeBytes(text.substr(at, size)), nullptr}));
    }
    EXPECT_FALSE(reader.Finish().has_value());
    EXPECT_EQ(collector.events, (std::vector<std::string>{"added a", "deleted a", "bookmark 3"}));
  }
}

TEST(WatchReaderTest, ObjectsOfTheSameProcessAreNotParsed) {
  Collector collector;
  WatchReader reader(collector, Pods());
  reader.OnHead(200, {});
  reader.OnPiece({nullptr, MakePayload(api::WatchEvent{.type = api::WatchEvent::Type::Modified,
                                                       .object = APod("a", 1)})});
  EXPECT_EQ(collector.events, std::vector<std::string>{"modified a"});
}

TEST(WatchReaderTest, HangsUpWhenTheSinkHasHadEnoughOrOnAnError) {
  Collector collector;
  collector.events_max = 1;
  WatchReader enough(collector, Pods());
  enough.OnHead(200, {});
  EXPECT_FALSE(enough.OnPiece({MakeBytes(BookmarkLine(1) + BookmarkLine(2)), nullptr}));
  EXPECT_FALSE(enough.Finish().has_value());
  EXPECT_EQ(collector.events.size(), 1u);

  WatchReader failed(collector, Pods());
  failed.OnHead(200, {});
  EXPECT_FALSE(failed.OnPiece({MakeBytes(EventLine("ERROR", api::Expired("old").Json())), {}}));
  EXPECT_EQ(failed.Finish()->code, 410);
}

TEST(WatchReaderTest, ARefusalIsReadWhole) {
  Collector collector;
  WatchReader reader(collector, Pods());
  reader.OnHead(403, {});
  const std::string body = api::Forbidden({"", "pods", ""}, "no").Json();
  reader.OnPiece({MakeBytes(body.substr(0, 10)), nullptr});
  reader.OnPiece({MakeBytes(body.substr(10)), nullptr});
  EXPECT_EQ(reader.Finish()->message, "pods is forbidden: no");
}

}  // namespace
}  // namespace plimsoll::client
