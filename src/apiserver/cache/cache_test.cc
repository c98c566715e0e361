#include "apiserver/cache/cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "apiserver/cache/cache_event.h"
#include "apiserver/cache/cache_for_test.h"
#include "apiserver/cache/watch_cache.h"
#include "apiserver/cache/watcher_index.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

/// Records the calls as `+a ~a -a !`.
class Notes final : public CacheObserver {
 public:
  void OnEvent(const std::shared_ptr<const CacheEvent>& event) override {
    const std::scoped_lock lock(mutex_);
    const char sign = !event->before ? '+' : event->now ? '~' : '-';
    text_ += fmt::format("{}{}@{} ", sign, (event->now ? event->now : event->before)->name(),
                         store::Number(event->revision));
    if (on_event) on_event();
  }
  void OnReset() override {
    const std::scoped_lock lock(mutex_);
    text_ += "! ";
  }
  std::string text() const {
    const std::scoped_lock lock(mutex_);
    return text_;
  }
  std::function<void()> on_event;

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

class CacheTest : public testing::Test, protected CacheFixture {
 protected:
  const Resource& pods_ = Of("pods");
};

TEST_F(CacheTest, FollowsTheStore) {
  const store::Revision first = PutPod("default", "web", "n1");
  EXPECT_EQ(cache().revision(), first);
  const ObjectPtr web = cache().Get(pods_, "default", "web");
  ASSERT_NE(web, nullptr);
  EXPECT_EQ(web->revision(), first);
  EXPECT_EQ(cache().Get(pods_, "default", "other"), nullptr);
  Delete(pods_, "default", "web");
  EXPECT_EQ(cache().Get(pods_, "default", "web"), nullptr);
  EXPECT_EQ(cache().Count(pods_), 0u);
  const auto latest = cache().GetLatest(pods_, "default", "web");
  ASSERT_TRUE(latest.has_value());
  EXPECT_EQ(*latest, nullptr);
}

TEST_F(CacheTest, ObserversReadTheTreeOfTheCommit) {
  const std::shared_ptr<const codec::Document> document = *codec::ParseJson(
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"from-tree","namespace":"a"}})");
  const TreePtr tree(document, &document->root());
  std::string seen;
  Notes notes;
  notes.on_event = [&] {
    const auto pod = cache().Get(pods_, "a", "web")->Decode();
    seen = fmt::format("{}@{}", (*pod)->metadata().name, (*pod)->metadata().resource_version);
  };
  Picture picture;
  const auto watcher = cache().SubscribeNow(pods_, {}, notes, picture);
  const Bytes text =
      MakeBytes(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","namespace":"a"}})");
  ASSERT_TRUE(
      store()
          .CommitAndWait({pods_.KeyOf("a", "web"), text, store::kNoRevision, MakePayload(tree)})
          .has_value());
  EXPECT_EQ(seen, "from-tree@1");
  EXPECT_EQ((*cache().Get(pods_, "a", "web")->Decode())->metadata().name, "web")
      << "the cache keeps the text only";
}

TEST_F(CacheTest, ListsWhatIsSelected) {
  PutPod("a", "x", "n1", R"("app":"web")");
  PutPod("a-b", "x", "n2", R"("app":"db")");
  PutPod("a", "y", "", R"("app":"db")");
  PutPod("b", "x", "n1");
  const auto list = [&](const Selection& selection) {
    return Names(cache().List(pods_, selection).objects);
  };
  EXPECT_EQ(list({}), "a-b/x a/x a/y b/x");
  EXPECT_EQ(list(Select("a")), "a/x a/y");
  EXPECT_EQ(list(Select("a", "", "app=db")), "a/y");
  EXPECT_EQ(list(Select("", "spec.nodeName=n1")), "a/x b/x");
  EXPECT_EQ(list(Select("a", "spec.nodeName=n1")), "a/x");
  EXPECT_EQ(list(Select("", "spec.nodeName=")), "a/y");
  EXPECT_EQ(list(Select("", "spec.nodeName!=")), "a-b/x a/x b/x");
  EXPECT_EQ(list(Select("", "metadata.name=x", "app!=db")), "a/x b/x");
  EXPECT_EQ(list(Select("a", "metadata.name=x")), "a/x");
  EXPECT_EQ(list(Select("a", "metadata.name=x,spec.nodeName=n2")), "");
  PutPod("a", "x", "n2");
  EXPECT_EQ(list(Select("", "spec.nodeName=n1")), "b/x");
  EXPECT_EQ(list(Select("", "spec.nodeName=n2")), "a-b/x a/x");
  EXPECT_EQ(cache().List(pods_, {}).revision, cache().revision());
}

TEST_F(CacheTest, APageSaysWhatIsLeft) {
  for (const char* name : {"p", "q", "r"}) PutPod("a", name, "n1");
  PutPod("b", "p", "n1");
  const Picture page = cache().List(pods_, {}, 2);
  EXPECT_EQ(Names(page.objects), "a/p a/q");
  EXPECT_TRUE(page.has_more);
  EXPECT_EQ(page.remaining, 2u);
  EXPECT_EQ(cache().List(pods_, Select("a"), 2).remaining, 1u);
  EXPECT_FALSE(cache().List(pods_, Select("a"), 3).has_more);
  const Picture chosen = cache().List(pods_, Select("", "spec.nodeName=n1"), 3);
  EXPECT_EQ(Names(chosen.objects), "a/p a/q a/r");
  EXPECT_TRUE(chosen.has_more);
  EXPECT_EQ(cache().CountAfter(pods_, "", "a/q"), 2u);
  EXPECT_EQ(cache().CountAfter(pods_, "a", "a/q"), 1u);
  EXPECT_EQ(cache().CountAfter(pods_, "", "b/p"), 0u);
}

TEST_F(CacheTest, TellsWhoeverWatchesWhatConcernsThem) {
  Notes all, in_a, named, on_n1, nodes;
  Picture picture;
  const auto s1 = cache().SubscribeNow(pods_, {}, all, picture);
  const auto s2 = cache().SubscribeNow(pods_, Select("a"), in_a, picture);
  const auto s3 = cache().SubscribeNow(pods_, Select("", "metadata.name=x"), named, picture);
  const auto s4 = cache().SubscribeNow(pods_, Select("", "spec.nodeName=n1"), on_n1, picture);
  const auto s5 = cache().SubscribeNow(Of("nodes"), {}, nodes, picture);
  EXPECT_TRUE(picture.objects.empty());
  PutPod("a", "x");         // 1
  PutPod("b", "x", "n1");   // 2
  PutPod("a", "x", "n1");   // 3
  PutPod("a", "x", "n2");   // 4
  Delete(pods_, "b", "x");  // 5
  Put(Of("nodes"), "", "n");
  EXPECT_EQ(all.text(), "+x@1 +x@2 ~x@3 ~x@4 -x@5 ");
  EXPECT_EQ(in_a.text(), "+x@1 ~x@3 ~x@4 ");
  EXPECT_EQ(named.text(), "+x@1 +x@2 ~x@3 ~x@4 -x@5 ");
  EXPECT_EQ(on_n1.text(), "+x@2 ~x@3 ~x@4 -x@5 ");
  EXPECT_EQ(nodes.text(), "+n@6 ");
}

TEST_F(CacheTest, AWatchResumesWhereItEnded) {
  PutPod("a", "x");
  PutPod("a", "y");
  PutPod("b", "z");
  Notes notes, of_b;
  const auto subscription = cache().Subscribe(pods_, {}, store::Revision{1}, notes);
  ASSERT_TRUE(subscription.has_value());
  EXPECT_EQ(notes.text(), "+y@2 +z@3 ");
  const auto other = cache().Subscribe(pods_, Select("b"), store::Revision{0}, of_b);
  ASSERT_TRUE(other.has_value());
  PutPod("b", "z", "n1");
  EXPECT_EQ(of_b.text(), "+z@3 ~z@4 ");
  (*other)->BetweenEvents([](store::Revision at) { EXPECT_EQ(store::Number(at), 4); });
}

TEST_F(CacheTest, AWatchFromTheFutureWaitsForIt) {
  PutPod("a", "x");
  Notes notes;
  const auto subscription = cache().Subscribe(pods_, {}, store::Revision{3}, notes);
  for (const char* name : {"p2", "p3", "p4"}) PutPod("a", name);
  EXPECT_EQ(notes.text(), "+p4@4 ");
}

TEST_F(CacheTest, HistorySurvivesARestart) {
  PutPod("a", "x");
  PutPod("a", "x", "n1");
  PutPod("a", "y");
  Delete(pods_, "a", "x");
  Restart();
  EXPECT_EQ(store::Number(cache().revision()), 4);
  EXPECT_EQ(Names(cache().List(pods_, {}).objects), "a/y");
  Notes notes;
  const auto subscription = cache().Subscribe(pods_, {}, store::Revision{1}, notes);
  ASSERT_TRUE(subscription.has_value());
  EXPECT_EQ(notes.text(), "~x@2 +y@3 -x@4 ");
  PutPod("a", "y", "n2");
  EXPECT_EQ(notes.text(), "~x@2 +y@3 -x@4 ~y@5 ");
}

TEST_F(CacheTest, WhatIsCompactedIsTooOld) {
  for (int i = 0; i < 5; ++i) PutPod("a", "x", std::to_string(i));
  ASSERT_TRUE(store().Compact(store::Revision{3}).has_value());
  Restart();
  Notes notes;
  const auto refused = cache().Subscribe(pods_, {}, store::Revision{2}, notes);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().reason, Reason::Expired);
  EXPECT_EQ(refused.error().message, "too old resource version: 2 (3)");
  EXPECT_TRUE(cache().Subscribe(pods_, {}, store::Revision{3}, notes).has_value());
  EXPECT_EQ(notes.text(), "~x@4 ~x@5 ");
}

TEST_F(CacheTest, AnObserverMayEndItself) {
  Notes notes, other;
  Picture picture;
  auto subscription = cache().SubscribeNow(pods_, {}, notes, picture);
  const auto stays = cache().SubscribeNow(pods_, {}, other, picture);
  notes.on_event = [&] { subscription.reset(); };
  PutPod("a", "x");
  PutPod("a", "y");
  EXPECT_EQ(notes.text(), "+x@1 ");
  EXPECT_EQ(other.text(), "+x@1 +y@2 ");
}

TEST_F(CacheTest, WaitsForARevision) {
  std::string told;
  const auto tell = [&](char sign) {
    return [&told, sign](bool reached) { told += fmt::format("{}{} ", sign, reached); };
  };
  cache().WhenReached(store::Revision{0}, std::chrono::seconds(3), tell('a'));
  EXPECT_EQ(told, "atrue ");
  cache().WhenReached(store::Revision{2}, std::chrono::seconds(3), tell('b'));
  cache().WhenReached(store::Revision{3}, std::chrono::seconds(3), tell('c'));
  PutPod("a", "x");
  EXPECT_EQ(told, "atrue ");
  PutPod("a", "y");
  EXPECT_EQ(told, "atrue btrue ");
  clock().Advance(std::chrono::seconds(3));
  EXPECT_EQ(told, "atrue btrue cfalse ");
  EXPECT_TRUE(cache().WaitFor(store::Revision{2}, std::chrono::seconds(1)).has_value());
}

TEST_F(CacheTest, WhatHasWaitedDoesNotOutliveItsAnswer) {
  auto request = std::make_shared<int>();
  const std::weak_ptr<int> held = request;
  cache().WhenReached(store::Revision{1}, std::chrono::seconds(3),
                      [request = std::move(request)](bool) {});
  EXPECT_FALSE(held.expired());
  PutPod("a", "x");
  EXPECT_TRUE(held.expired()) << "its timer holds it";
}

TEST_F(CacheTest, UnreadableObjectsAreLeftOut) {
  Commit("/registry/pods/a/broken", MakeBytes("{}"));
  Commit("/elsewhere/x", MakeBytes("?"));
  PutPod("a", "x");
  EXPECT_EQ(Names(cache().List(pods_, {}).objects), "a/x");
  Restart();
  EXPECT_EQ(Names(cache().List(pods_, {}).objects), "a/x");
  EXPECT_EQ(store::Number(cache().revision()), 3);
}

}  // namespace
}  // namespace plimsoll::apiserver
