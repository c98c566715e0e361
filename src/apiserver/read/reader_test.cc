#include "apiserver/read/reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/watch_event.h"
#include "apiserver/read/list_body.h"
#include "apiserver/read/list_options.h"
#include "apiserver/read/read_for_test.h"
#include "apiserver/read/scale.h"
#include "apiserver/read/served_object.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

class ReaderTest : public testing::Test, protected ReaderFixture {
 protected:
  /// Returns the names of a list's items, and its metadata.
  static std::string Summary(const FakeExchange& answer) {
    const auto document = codec::ParseJson(answer.body, {.bytes_max = 1u << 30});
    if (!document) return "no JSON: " + answer.body;
    const codec::Value& root = (*document)->root();
    if (root.Find("items") == nullptr) return answer.body;
    std::string out;
    for (const codec::Value& item : root.Find("items")->items()) {
      out += fmt::format("{} ", item.Find("metadata")->Find("name")->text());
    }
    const codec::Value* remaining = root.Find("metadata")->Find("remainingItemCount");
    if (remaining != nullptr) out += fmt::format("+{} ", remaining->AsInt());
    return out + "@" + std::string(root.Find("metadata")->Find("resourceVersion")->text());
  }
  static std::string Continue(const FakeExchange& answer) {
    const auto document = codec::ParseJson(answer.body);
    if (!document) return "";
    const codec::Value* token = (*document)->root().Find("metadata")->Find("continue");
    return token == nullptr ? "" : std::string(token->text());
  }
  std::string List(std::string_view target) { return Summary(*Ask(target)); }
  static std::string Message(const FakeExchange& answer) {
    const auto document = codec::ParseJson(answer.body);
    const codec::Value* message = document ? (*document)->root().Find("message") : nullptr;
    return fmt::format("{} {}", answer.status, message == nullptr ? "" : message->text());
  }
};

TEST_F(ReaderTest, GetsAnObjectAsItWasStored) {
  PutPod("default", "web", "n1");
  const auto answer = Ask("/api/v1/namespaces/default/pods/web");
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body,
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"1","name":"web",)"
            R"("namespace":"default"},"spec":{"nodeName":"n1"}})");
  EXPECT_EQ(Ask("/api/v1/namespaces/default/pods/web/status")->status, 200);
  EXPECT_EQ(Message(*Ask("/api/v1/namespaces/default/pods/other")), "404 pods \"other\" not found");
  EXPECT_EQ(Message(*Ask("/apis/apps/v1/namespaces/default/deployments/x")),
            "404 deployments.apps \"x\" not found");
  EXPECT_EQ(Message(*Ask("/api/v1/namespaces/default/pods/web?resourceVersion=x")),
            "500 resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid "
            "syntax");
  const auto local = Ask("/api/v1/namespaces/default/pods/web", "", /*is_local=*/true);
  const auto* const object = FindPayload<std::shared_ptr<const api::Object>>(local->payload);
  ASSERT_NE(object, nullptr);
  EXPECT_EQ((*object)->metadata().name, "web");
}

TEST_F(ReaderTest, GetsWhatIsClusterWide) {
  Put(Of("namespaces"), "", "default");
  EXPECT_EQ(Ask("/api/v1/namespaces/default")->status, 200);
  EXPECT_EQ(List("/api/v1/namespaces"), "default @1");
}

TEST_F(ReaderTest, GetsAScale) {
  Put(Of("deployments", "apps"), "d", "x",
      R"(,"spec":{"replicas":3,"selector":{"matchLabels":{"a":"b"}}},"status":{"replicas":2})",
      R"(,"uid":"u")");
  EXPECT_EQ(Ask("/apis/apps/v1/namespaces/d/deployments/x/scale")->body,
            R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"x",)"
            R"("namespace":"d","uid":"u","resourceVersion":"1"},"spec":{"replicas":3},)"
            R"("status":{"replicas":2,"selector":"a=b"}})");
}

TEST_F(ReaderTest, ListsWithSelectors) {
  PutPod("a", "x", "n1", R"("app":"web")");
  PutPod("a", "y", "", R"("app":"db")");
  PutPod("b", "z", "n1", R"("app":"db")");
  EXPECT_EQ(List("/api/v1/pods"), "x y z @3");
  EXPECT_EQ(List("/api/v1/namespaces/a/pods"), "x y @3");
  EXPECT_EQ(List("/api/v1/namespaces/none/pods"), "@3");
  EXPECT_EQ(List("/api/v1/pods?labelSelector=app%3Ddb"), "y z @3");
  EXPECT_EQ(List("/api/v1/pods?fieldSelector=spec.nodeName%3Dn1"), "x z @3");
  EXPECT_EQ(List("/api/v1/pods?fieldSelector=spec.host%3Dn1,metadata.name!%3Dx"), "z @3");
  EXPECT_EQ(List("/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dy"), "y @3");
  EXPECT_EQ(List("/api/v1/pods?resourceVersion=0"), "x y z @3");
  EXPECT_EQ(List("/api/v1/pods?resourceVersion=2"), "x y z @3");
  EXPECT_EQ(List("/api/v1/pods?resourceVersion=2&resourceVersionMatch=Exact"), "x y @2");
  EXPECT_EQ(
      Ask("/api/v1/namespaces/none/pods")->body,
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"3"},"items":[]})");
}

TEST_F(ReaderTest, RefusesOptionsThatCannotBe) {
  const struct {
    std::string query;
    std::string want;
  } cases[] = {
      {"limit=x", "400 strconv.ParseInt: parsing \"x\": invalid syntax"},
      {"fieldSelector=spec.x%3D1", "400 field label not supported: spec.x"},
      {"fieldSelector=abc", "400 invalid selector: 'abc'; can't understand 'abc'"},
      {"continue=abc%21",
       "400 invalid continue token: continue key is not valid: not a token "
       "of this server"},
      {"resourceVersionMatch=Exact",
       "422 ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "resourceVersionMatch is forbidden unless resourceVersion is provided"},
      {"resourceVersionMatch=Exact&resourceVersion=0",
       "422 ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""},
      {"resourceVersionMatch=Any&resourceVersion=1",
       "422 ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Unsupported value: "
       "\"Any\": supported values: \"Exact\", \"NotOlderThan\", \"\""},
      {"sendInitialEvents=true",
       "422 ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: "
       "sendInitialEvents is forbidden for list"},
      {"watch=1&sendInitialEvents=true",
       "422 ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"},
      {"watch=1&resourceVersionMatch=NotOlderThan",
       "422 ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"},
      {"resourceVersion=abc",
       "400 invalid resource version: resourceVersion: Invalid value: \"abc\": strconv.ParseUint: "
       "parsing \"abc\": invalid syntax"},
      {"watch=1&resourceVersion=abc",
       "500 resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": invalid "
       "syntax"},
      {"continue=abc&resourceVersion=abc",
       "400 specifying resource version is not allowed when using continue"},
      {"continue=abc&resourceVersion=5",
       "400 specifying resource version is not allowed when using continue"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Message(*Ask("/api/v1/pods?" + test.query)), test.want) << test.query;
  }
  EXPECT_EQ(Ask("/api/v1/pods?labelSelector=a%3D%3D%3D")->status, 400);
}

TEST_F(ReaderTest, WaitsForARevisionThatIsToCome) {
  PutPod("a", "x");
  const auto waits = Ask("/api/v1/pods?resourceVersion=2");
  const auto too_far = Ask("/api/v1/pods?resourceVersion=9");
  EXPECT_FALSE(waits->is_answered);
  PutPod("a", "y");
  EXPECT_EQ(Summary(*waits), "x y @2");
  EXPECT_FALSE(too_far->is_answered);
  clock().Advance(std::chrono::seconds(3));
  EXPECT_EQ(Message(*too_far), "504 Timeout: Too large resource version: 9, current: 2");
  EXPECT_TRUE(too_far->body.contains(R"("reason":"ResourceVersionTooLarge")"));
  EXPECT_TRUE(too_far->body.contains(R"("retryAfterSeconds":1)"));
  EXPECT_EQ(Message(*Ask("/api/v1/pods?resourceVersion=9&resourceVersionMatch=Exact")),
            "504 Timeout: Too large resource version: 9, current: 2");
}

/// Records that the reader releases its seat and takes one again.
class FakeSeat final : public RequestSeat {
 public:
  void Release() override { is_held = false; }
  void Reacquire(Task work) override { returned = std::move(work); }
  bool is_held = true;
  Task returned;
};

TEST_F(ReaderTest, ARequestThatWaitsForARevisionHoldsNoSeat) {
  PutPod("a", "x");
  for (const std::string target :
       {"/api/v1/pods?resourceVersion=", "/api/v1/namespaces/a/pods/x?resourceVersion=",
        "/api/v1/"
        "pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"
        "resourceVersion="}) {
    FakeSeat seat;
    const auto next = std::to_string(store::Number(cache().revision()) + 1);
    const auto waits = Ask(target + next, &seat);
    EXPECT_FALSE(waits->is_answered) << target;
    EXPECT_FALSE(seat.is_held) << target;
    PutPod("a", "y");
    ASSERT_TRUE(seat.returned != nullptr) << "it needs a seat again for its answer";
    EXPECT_FALSE(waits->is_answered) << target;
    seat.returned();
    EXPECT_EQ(waits->status, 200) << target;

    FakeSeat lost;
    const auto too_far = Ask(target + "99999999", &lost);
    clock().Advance(std::chrono::seconds(3));
    EXPECT_EQ(too_far->status, 504) << target;
    EXPECT_FALSE(lost.is_held);

    FakeSeat kept;
    EXPECT_EQ(Ask(target + "1", &kept)->status, 200) << target;
    EXPECT_TRUE(kept.is_held) << "what need not wait keeps its seat";
  }
}

TEST_F(ReaderTest, PagesShowOneMoment) {
  for (const char* name : {"p1", "p2", "p3", "p4", "p5"}) PutPod("a", name);
  const auto first = Ask("/api/v1/pods?limit=2");
  EXPECT_EQ(Summary(*first), "p1 p2 +3 @5");
  Delete(Of("pods"), "a", "p3");
  PutPod("a", "p22");
  const auto second = Ask("/api/v1/pods?limit=2&continue=" + Continue(*first));
  EXPECT_EQ(Summary(*second), "p3 p4 +1 @5");
  const auto third = Ask("/api/v1/pods?limit=2&continue=" + Continue(*second));
  EXPECT_EQ(Summary(*third), "p5 @5");
  EXPECT_EQ(Continue(*third), "");
  EXPECT_EQ(List("/api/v1/pods?limit=2&resourceVersion=0"), "p1 p2 p22 p4 p5 @7");
}

TEST_F(ReaderTest, PagesWithSelectorsDoNotCountTheRest) {
  for (int i = 0; i < 6; ++i) {
    PutPod(i < 4 ? "a" : "b", fmt::format("p{}", i), "", i % 2 == 0 ? R"("e":"1")" : "");
  }
  const auto first = Ask("/api/v1/pods?limit=1&labelSelector=e");
  EXPECT_EQ(Summary(*first), "p0 @6");
  const auto second = Ask("/api/v1/pods?limit=1&labelSelector=e&continue=" + Continue(*first));
  EXPECT_EQ(Summary(*second), "p2 @6");
  const auto third = Ask("/api/v1/pods?limit=1&labelSelector=e&continue=" + Continue(*second));
  EXPECT_EQ(Summary(*third), "p4 @6");
  EXPECT_EQ(Continue(*third), "");
}

TEST_F(ReaderTest, AnOldPageCanBeContinuedLoosely) {
  for (const char* name : {"p1", "p2", "p3"}) PutPod("a", name);
  const auto first = Ask("/api/v1/pods?limit=1");
  Delete(Of("pods"), "a", "p2");
  ASSERT_TRUE(store().Compact(store::Revision{4}).has_value());
  const auto refused = Ask("/api/v1/pods?limit=1&continue=" + Continue(*first));
  EXPECT_EQ(refused->status, 410);
  EXPECT_TRUE(Message(*refused).starts_with("410 The provided continue parameter is too old"));
  EXPECT_TRUE(refused->body.contains(R"("reason":"Expired")"));
  EXPECT_EQ(List("/api/v1/pods?limit=1&continue=" + Continue(*refused)), "p3 @4");
  EXPECT_EQ(Message(*Ask("/api/v1/pods?resourceVersion=1&resourceVersionMatch=Exact")),
            "410 The resourceVersion for the provided list is too old.");
}

TEST_F(ReaderTest, ListsInOtherForms) {
  PutPod("a", "x");
  PutPod("a", "y");
  const auto table = Ask("/api/v1/pods", "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_TRUE(table->body.starts_with(
      R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"2"},)"
      R"("columnDefinitions":[{"name":"Name")"));
  EXPECT_TRUE(table->body.contains(R"("rows":[{"cells":["x","0/0",)"));
  const auto partial =
      Ask("/api/v1/pods", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
  EXPECT_EQ(partial->body, R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",)"
                           R"("metadata":{"resourceVersion":"2"},"items":[)"
                           R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)"
                           R"("metadata":{"resourceVersion":"1","name":"x","namespace":"a"}},)"
                           R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)"
                           R"("metadata":{"resourceVersion":"2","name":"y","namespace":"a"}}]})");
}

TEST_F(ReaderTest, FormatsAreThatOfTheWhole) {
  PutPod("a", "x");
  PutPod("a", "y", "n\\n1");
  for (const char* path : {"/api/v1/pods", "/api/v1/nodes"}) {
    const std::string compact = Ask(path)->body;
    auto document = codec::ParseJson(compact);
    ASSERT_TRUE(document.has_value());
    EXPECT_EQ(Ask(std::string(path) + "?pretty=true")->body,
              codec::WriteJsonPretty((*document)->root()) + "\n");
    const auto yaml = Ask(path, "application/yaml");
    EXPECT_EQ(yaml->body, codec::WriteYaml((*document)->root()));
    EXPECT_EQ(yaml->headers.Find("Content-Type"), "application/yaml");
  }
}

TEST_F(ReaderTest, LargeListsAreMadeWhileTheyAreSent) {
  for (int i = 0; i < 400; ++i) {
    Put(Of("configmaps"), "a", fmt::format("c{}", i),
        fmt::format(R"(,"data":{{"x":"{}"}})", std::string(1000, 'x')));
  }
  const auto answer = Ask("/api/v1/configmaps");
  EXPECT_TRUE(answer->is_streamed);
  EXPECT_TRUE(Summary(*answer).ends_with("@400"));
  const auto local = Ask("/api/v1/configmaps", "", /*is_local=*/true);
  const auto* const list = FindPayload<api::ObjectList>(local->payload);
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->objects.size(), 400u);
  EXPECT_EQ(list->resource_version, "400");
}

TEST_F(ReaderTest, AListInTheProcessReportsAnObjectThatCannotBeDecoded) {
  PutPod("default", "web", "n1");
  Put(Of("pods"), "default", "broken", R"(,"spec":5)");
  const auto local = Ask("/api/v1/pods", "", /*is_local=*/true);
  EXPECT_EQ(FindPayload<api::ObjectList>(local->payload), nullptr);
  EXPECT_EQ(Message(*local),
            "500 Internal error occurred: the stored value of pods/broken is not a valid object");
  EXPECT_NE(FindPayload<api::ObjectList>(
                Ask("/api/v1/pods?fieldSelector=metadata.name%3Dweb", "", true)->payload),
            nullptr);
}

TEST_F(ReaderTest, EventsAreServedInTwoForms) {
  Put(Of("events"), "a", "e", R"(,"involvedObject":{"kind":"Pod"},"message":"m")");
  const auto served = Ask("/apis/events.k8s.io/v1/namespaces/a/events/e");
  EXPECT_EQ(served->body,
            R"({"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"resourceVersion":"1",)"
            R"("name":"e","namespace":"a"},"regarding":{"kind":"Pod"},"note":"m"})");
  const auto list = Ask("/apis/events.k8s.io/v1/events?fieldSelector=regarding.kind%3DPod");
  EXPECT_EQ(Summary(*list), "e @1");
  EXPECT_TRUE(list->body.contains("\"note\":\"m\""));
  EXPECT_EQ(Summary(*Ask("/apis/events.k8s.io/v1/events?resourceVersion=1"
                         "&resourceVersionMatch=Exact&fieldSelector=regarding.kind%3DNode")),
            "@1");
}

}  // namespace
}  // namespace plimsoll::apiserver
