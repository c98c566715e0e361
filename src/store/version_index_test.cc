#include "store/version_index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace plimsoll::store {
namespace {

TEST(VersionIndexTest, RestoresOnlyWhatCanHaveBeenCompacted) {
  VersionIndex index(Revision{10});
  EXPECT_TRUE(index.Restore("/a", Revision{4}));
  EXPECT_TRUE(index.Restore("/b", Revision{10}));
  EXPECT_FALSE(index.Restore("/a", Revision{5}));
  EXPECT_FALSE(index.Restore("/c", Revision{11}));
  EXPECT_FALSE(index.Restore("/c", kNoRevision));
  index.Apply("/a", false);
  EXPECT_EQ(index.latest(), Revision{11});
  EXPECT_EQ(index.At(Revision{11}).before, Revision{4});
  EXPECT_EQ(index.Pick({.prefix = "/"}, Revision{10}).versions.at(0).revision, Revision{4});
}

/// Reference model with a full copy of the keys per revision.
class Model {
 public:
  using Picture = std::map<std::string, Revision>;

  void Apply(const std::string& key, bool is_deletion) {
    Picture next = pictures_.back();
    if (is_deletion) {
      next.erase(key);
    } else {
      next[key] = Revision{static_cast<std::int64_t>(pictures_.size())};
    }
    pictures_.push_back(std::move(next));
  }
  const Picture& At(Revision revision) const {
    return pictures_.at(static_cast<std::size_t>(Number(revision)));
  }
  std::int64_t latest() const { return static_cast<std::int64_t>(pictures_.size()) - 1; }

 private:
  std::vector<Picture> pictures_{{}};
};

RC_GTEST_PROP(VersionIndexTest, EveryPictureIsRightAndOnlyTheUnseenIsDropped, ()) {
  Model model;
  VersionIndex index;
  std::vector<Revision> dropped;
  for (int steps = *rc::gen::inRange(0, 60); steps > 0; --steps) {
    const std::string key(1, static_cast<char>('a' + *rc::gen::inRange(0, 4)));
    const bool is_there = index.Find(key) != kNoRevision;
    const bool is_deletion = is_there && *rc::gen::inRange(0, 3) == 0;
    model.Apply(key, is_deletion);
    index.Apply(key, is_deletion);
    if (*rc::gen::inRange(0, 8) == 0) {
      index.Compact(Revision{*rc::gen::inRange(Number(index.compacted()), model.latest() + 1)},
                    dropped);
    }
  }
  RC_ASSERT(Number(index.latest()) == model.latest());
  std::set<Revision> seen;
  for (auto at = Number(index.compacted()); at <= model.latest(); ++at) {
    Model::Picture picture;
    for (const auto& [key, revision] : index.Pick({.prefix = ""}, Revision{at}).versions) {
      picture[key] = revision;
      seen.insert(revision);
    }
    RC_ASSERT(picture == model.At(Revision{at}));
    if (at == Number(index.compacted())) continue;
    const VersionIndex::Past past = index.At(Revision{at});
    const auto& before = model.At(Revision{at - 1});
    const auto found = before.find(std::string(past.key));
    RC_ASSERT(past.before == (found == before.end() ? kNoRevision : found->second));
    if (past.is_deletion) seen.insert(Revision{at});
  }
  // Exactly the revisions that no request can read are dropped, and each only once.
  const std::set<Revision> gone(dropped.begin(), dropped.end());
  RC_ASSERT(gone.size() == dropped.size());
  for (std::int64_t at = 1; at <= model.latest(); ++at) {
    RC_ASSERT(gone.contains(Revision{at}) != seen.contains(Revision{at}));
  }
}

}  // namespace
}  // namespace plimsoll::store
