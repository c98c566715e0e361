#include "apiserver/cache/cache_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CacheFollowerTest : public testing::Test, public CacheFixture {
 protected:
  /// Tracks the names of the resource's objects.
  FollowedResource NamesOf(const Resource& resource, std::set<std::string>& names) {
    return {.resource = &resource,
            .clear = [&names] { names.clear(); },
            .apply =
                [&names](const CacheEvent& event) {
                  if (event.now != nullptr) {
                    names.emplace(event.now->name());
                  } else {
                    names.erase(std::string(event.before->name()));
                  }
                }};
  }

  const Resource& nodes_ = Of("nodes");
  const Resource& volumes_ = Of("persistentvolumes");
  std::set<std::string> node_names_;
  std::set<std::string> volume_names_;
  int published_ = 0;
};

TEST_F(CacheFollowerTest, ReadsAllObjectsBeforeItPublishes) {
  Put(nodes_, "", "n1");
  Put(volumes_, "", "v1");
  std::set<std::string> seen;
  CacheFollower follower(cache(), {NamesOf(nodes_, node_names_), NamesOf(volumes_, volume_names_)},
                         [&] {
                           seen = node_names_;
                           seen.merge(std::set(volume_names_));
                           ++published_;
                         });
  EXPECT_THAT(seen, ElementsAre("n1", "v1"));
  EXPECT_EQ(published_, 1);
  Put(nodes_, "", "n2");
  EXPECT_THAT(node_names_, ElementsAre("n1", "n2"));
  Delete(nodes_, "", "n1");
  EXPECT_THAT(seen, ElementsAre("n2", "v1"));
  EXPECT_EQ(published_, 3);
}

TEST_F(CacheFollowerTest, ReadsAgainAfterALoss) {
  CacheFollower follower(cache(), {NamesOf(nodes_, node_names_)}, [&] { ++published_; });
  Put(nodes_, "", "n1");
  follower.Refresh();
  EXPECT_EQ(published_, 2) << "the start and one event";
  LoseStore();
  Put(nodes_, "", "n2");
  EXPECT_THAT(node_names_, ElementsAre("n1"));
  follower.Refresh();
  EXPECT_THAT(node_names_, ElementsAre("n1", "n2"));
  EXPECT_EQ(published_, 3);
  Delete(nodes_, "", "n1");
  EXPECT_THAT(node_names_, ElementsAre("n2"));
}

TEST_F(CacheFollowerTest, AnEventDuringTheReadingIsTheNewer) {
  Put(nodes_, "", "n1");
  const store::Revision first = cache().revision();
  FollowedResource nodes = NamesOf(nodes_, node_names_);
  nodes.clear = [&] {
    store().Commit({nodes_.KeyOf("", "n1"), nullptr, first}, [](const Result<store::Revision>&) {});
  };
  const CacheFollower follower(cache(), {nodes}, [&] { ++published_; });
  const store::Revision second{store::Number(first) + 1};
  ASSERT_TRUE(cache().WaitFor(second, std::chrono::seconds(5)).has_value());
  EXPECT_THAT(node_names_, IsEmpty());
}

}  // namespace
}  // namespace plimsoll::apiserver
