#include "client/informer_core.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Type = InformerStep::Type;

constexpr BackoffOptions kPlain{.initial = seconds(1), .max = seconds(4), .jitter = 0};

api::StatusObject TooLarge() { return api::TooLargeRevision(10, 5); }

api::WatchEvent Event(api::WatchEvent::Type type, ObjectPtr object) {
  return {.type = type, .object = std::move(object)};
}
api::WatchEvent Bookmark(std::string version, bool ends = false) {
  return {.type = api::WatchEvent::Type::Bookmark,
          .object = nullptr,
          .resource_version = std::move(version),
          .ends_initial_events = ends};
}
api::ObjectList List(std::string version, std::vector<ObjectPtr> objects) {
  return {.resource_version = std::move(version), .continue_token = {}, .objects = objects};
}

class InformerCoreTest : public testing::Test {
 protected:
  std::string Told() {
    std::string out;
    for (const InformerEvent& event : events_) {
      out += "+~-!"[static_cast<std::size_t>(event.type)];
      if (event.object != nullptr) out += event.object->metadata().name;
    }
    events_.clear();
    return out;
  }

  Instant now_{seconds(1000)};
  InformerCore core_{false, kPlain, 1};
  InformerCore watch_list_{true, kPlain, 1};
  InformerCore::Events events_;
};

TEST_F(InformerCoreTest, ListsAnyStateThenWatchesFromThere) {
  EXPECT_EQ(core_.Next(), (InformerStep{Type::List, "0"}));
  EXPECT_FALSE(core_.is_synced());
  core_.Listed(List("5", {APod("a", 2), APod("b", 4)}), events_);
  EXPECT_EQ(Told(), "+a+b!");
  EXPECT_TRUE(core_.is_synced());
  EXPECT_EQ(core_.Next(), (InformerStep{Type::Watch, "5"}));
}

TEST_F(InformerCoreTest, AKindThatIsNotServedHasNoObjects) {
  const api::StatusObject unknown{.code = 404, .reason = "NotFound"};
  core_.ListRefused(unknown, now_, events_);
  EXPECT_EQ(Told(), "!");
  EXPECT_EQ(core_.Next(), (InformerStep{Type::List, "0", seconds(1)}));
  core_.ListRefused(unknown, now_, events_);
  EXPECT_EQ(Told(), "");
  core_.Listed(List("5", {APod("a", 2)}), events_);
  EXPECT_EQ(Told(), "+a") << "it is served by now";
}

TEST_F(InformerCoreTest, GoesOnFromTheLastEventOrBookmark) {
  core_.Listed(List("5", {APod("a", 2)}), events_);
  Told();
  core_.WatchBegan(now_);
  core_.Observe(Event(api::WatchEvent::Type::Added, APod("b", 6)), events_);
  core_.Observe(Event(api::WatchEvent::Type::Modified, APod("a", 7)), events_);
  core_.Observe(Event(api::WatchEvent::Type::Deleted, APod("b", 8)), events_);
  EXPECT_EQ(Told(), "+b~a-b");
  core_.WatchEnded(now_);
  EXPECT_EQ(core_.Next(), (InformerStep{Type::Watch, "8"}));
  core_.WatchBegan(now_);
  core_.Observe(Bookmark("20"), events_);
  EXPECT_EQ(Told(), "");
  core_.WatchEnded(now_);
  EXPECT_EQ(core_.Next(), (InformerStep{Type::Watch, "20"}));
}

TEST_F(InformerCoreTest, AWatchThatEndsAtOnceIsNotAskedForInATightLoop) {
  core_.Listed(List("5", {}), events_);
  core_.WatchBegan(now_);
  core_.WatchEnded(now_ + milliseconds(999));
  EXPECT_EQ(core_.Next(), (InformerStep{Type::Watch, "5", seconds(1)}));
  core_.WatchBegan(now_);
  core_.WatchEnded(now_ + seconds(1));
  EXPECT_EQ(core_.Next(), (InformerStep{Type::Watch, "5"}));
}

TEST_F(InformerCoreTest, ARelistTellsTheDifferenceAndSyncsNoMore) {
  core_.Listed(List("5", {APod("a", 2), APod("b", 4)}), events_);
  Told();
  core_.WatchBegan(now_);
  core_.WatchRefused(api::Expired("too old"), now_, events_);
  EXPECT_EQ(core_.Next(), (InformerStep{Type::List, "5", seconds(1)}));
  core_.Listed(List("9", {APod("a", 8), APod("c", 9)}), events_);
  EXPECT_EQ(Told(), "-b~a+c");
  EXPECT_EQ(core_.Next(), (InformerStep{Type::Watch, "9"}));
}

struct RefusalCase {
  std::string name;
  api::StatusObject refusal;
  InformerStep want;
};

class InformerRefusalTest : public testing::TestWithParam<RefusalCase> {};

TEST_P(InformerRefusalTest, OfAWatch) {
  InformerCore core(false, kPlain, 1);
  InformerCore::Events events;
  core.Listed(List("5", {}), events);
  core.WatchBegan(Instant());
  core.WatchRefused(GetParam().refusal, Instant(), events);
  EXPECT_EQ(core.Next(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, InformerRefusalTest,
    testing::ValuesIn<RefusalCase>({
        {"BrokenOff", api::ServiceUnavailable("reset"), {Type::Watch, "5", seconds(1)}},
        {"TooBusy", api::TooManyRequests("busy", 1), {Type::Watch, "5", seconds(1)}},
        {"AServersFault", api::InternalError("x"), {Type::Watch, "5", seconds(1)}},
        {"Expired", api::Expired("old"), {Type::List, "5", seconds(1)}},
        {"AheadOfTheServer", TooLarge(), {Type::List, "", seconds(1)}},
        {"Forbidden", api::Forbidden({"", "pods", ""}, "no"), {Type::List, "5", seconds(1)}},
    }),
    [](const auto& test) { return test.param.name; });

TEST_F(InformerCoreTest, RefusedListsWaitLongerAndLonger) {
  core_.ListRefused(api::ServiceUnavailable("down"), now_, events_);
  EXPECT_EQ(core_.Next(), (InformerStep{Type::List, "0", seconds(1)}));
  core_.ListRefused(api::ServiceUnavailable("down"), now_, events_);
  EXPECT_EQ(core_.Next(), (InformerStep{Type::List, "0", seconds(2)}));
  core_.Listed(List("5", {}), events_);
  EXPECT_EQ(core_.Next().delay, Duration::zero());
}

TEST_F(InformerCoreTest, AVersionThatIsGoneOrAheadIsGivenUpForTheLatest) {
  for (const api::StatusObject& refusal : {api::Expired("old"), TooLarge()}) {
    InformerCore core(false, kPlain, 1);
    core.Listed(List("5", {}), events_);
    core.WatchBegan(now_);
    core.WatchRefused(api::Expired("old"), now_, events_);
    core.ListRefused(refusal, now_, events_);
    EXPECT_EQ(core.Next(), (InformerStep{Type::List, ""}));
    core.ListRefused(api::ServiceUnavailable("down"), now_, events_);
    EXPECT_EQ(core.Next(), (InformerStep{Type::List, "", seconds(2)}));
    core.Listed(List("3", {}), events_);
    EXPECT_EQ(core.Next(), (InformerStep{Type::Watch, "3"}));
  }
}

TEST_F(InformerCoreTest, AWatchListIsHeldBackUntilItsBookmark) {
  EXPECT_EQ(watch_list_.Next(), (InformerStep{Type::WatchList, ""}));
  watch_list_.WatchBegan(now_);
  watch_list_.Observe(Event(api::WatchEvent::Type::Added, APod("a", 1)), events_);
  watch_list_.Observe(Event(api::WatchEvent::Type::Added, APod("b", 2)), events_);
  watch_list_.Observe(Bookmark("3"), events_);
  EXPECT_EQ(Told(), "");
  EXPECT_EQ(watch_list_.store().size(), 0u);
  watch_list_.Observe(Bookmark("4", true), events_);
  EXPECT_EQ(Told(), "+a+b!");
  watch_list_.Observe(Event(api::WatchEvent::Type::Deleted, APod("a", 5)), events_);
  EXPECT_EQ(Told(), "-a");
  watch_list_.WatchEnded(now_);
  EXPECT_EQ(watch_list_.Next(), (InformerStep{Type::Watch, "5"}));
}

TEST_F(InformerCoreTest, AWatchListThatBreaksOffBeginsAnew) {
  watch_list_.WatchBegan(now_);
  watch_list_.Observe(Event(api::WatchEvent::Type::Added, APod("a", 1)), events_);
  watch_list_.WatchRefused(api::ServiceUnavailable("reset"), now_, events_);
  EXPECT_EQ(watch_list_.Next(), (InformerStep{Type::WatchList, "", seconds(1)}));
  watch_list_.WatchBegan(now_);
  watch_list_.Observe(Event(api::WatchEvent::Type::Added, APod("b", 2)), events_);
  watch_list_.Observe(Bookmark("4", true), events_);
  EXPECT_EQ(Told(), "+b!");
}

TEST_F(InformerCoreTest, AServerThatKnowsNoWatchListIsListed) {
  for (const int code : {400, 422}) {
    InformerCore core(true, kPlain, 1);
    api::StatusObject refusal = api::BadRequest("what?");
    refusal.code = code;
    core.WatchBegan(now_);
    core.WatchRefused(refusal, now_, events_);
    EXPECT_EQ(core.Next(), (InformerStep{Type::List, "0"}));
  }
}

TEST_F(InformerCoreTest, AWatchListThatTheServerFailsIsListedOnce) {
  for (const int code : {406, 500, 501, 504}) {
    InformerCore core(true, kPlain, 1);
    api::StatusObject refusal = api::InternalError("etcd has no RequestWatchProgress");
    refusal.code = code;
    core.WatchBegan(now_);
    core.WatchRefused(refusal, now_, events_);
    EXPECT_EQ(core.Next(), (InformerStep{Type::List, "0"})) << code;
    core.ListRefused(api::ServiceUnavailable("down"), now_, events_);
    EXPECT_EQ(core.Next().type, Type::List) << code;
    EXPECT_GT(core.Next().delay, Duration::zero()) << code;
    events_.clear();
    core.Listed(List("5", {APod("a", 2)}), events_);
    EXPECT_EQ(Told(), "+a!") << code;
    EXPECT_EQ(core.Next(), (InformerStep{Type::Watch, "5"})) << code;
    core.WatchBegan(now_);
    core.WatchRefused(api::Expired("old"), now_, events_);
    EXPECT_EQ(core.Next().type, Type::WatchList) << "the server may have learnt it by now";
  }
}

TEST_F(InformerCoreTest, AWatchListThatBreaksOffTwiceIsListed) {
  for (const Type want : {Type::WatchList, Type::List}) {
    watch_list_.WatchBegan(now_);
    watch_list_.WatchRefused(api::ServiceUnavailable("reset"), now_, events_);
    EXPECT_EQ(watch_list_.Next().type, want);
    EXPECT_GT(watch_list_.Next().delay, Duration::zero());
  }
}

TEST_F(InformerCoreTest, AWatchListThatEndsBeforeItsBookmarkIsListed) {
  watch_list_.WatchBegan(now_);
  watch_list_.Observe(Event(api::WatchEvent::Type::Added, APod("a", 1)), events_);
  watch_list_.WatchEnded(now_ + seconds(60));
  EXPECT_EQ(Told(), "");
  EXPECT_EQ(watch_list_.Next(), (InformerStep{Type::List, "0"}));
}

TEST_F(InformerCoreTest, AWatchListThatIsNotAllowedIsAskedForAgain) {
  for (const int code : {401, 403, 404, 429}) {
    InformerCore core(true, kPlain, 1);
    api::StatusObject refusal = api::BadRequest("no");
    refusal.code = code;
    core.WatchBegan(now_);
    core.WatchRefused(refusal, now_, events_);
    EXPECT_EQ(core.Next(), (InformerStep{Type::WatchList, "", seconds(1)})) << code;
  }
}

TEST_F(InformerCoreTest, AResyncTellsEveryObjectAsItIs) {
  core_.Listed(List("5", {APod("a", 2), APod("b", 4)}), events_);
  events_.clear();
  core_.Resync(events_);
  ASSERT_EQ(events_.size(), 2u);
  EXPECT_EQ(events_[0].object, events_[0].before);
  EXPECT_EQ(Told(), "~a~b");
}

}  // namespace
}  // namespace plimsoll::client
