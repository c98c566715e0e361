// Compares every store with a model that keeps a full copy per revision.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "store/recording_sink_for_test.h"
#include "store/store.h"
#include "store/store_contract_for_test.h"

namespace plimsoll::store {
namespace {

constexpr HistoryBounds kKeepAll{
    .changes_min = 1'000'000, .changes_max = 1'000'000, .seconds_min = 1'000'000};

struct Held {
  std::string value;
  Revision revision{};

  friend bool operator==(const Held&, const Held&) = default;
};
using Picture = std::map<std::string, Held>;

/// Random requests to the store, each compared with the model. Walks share a store, because opening
/// one takes longer than a walk. Each has its own keys and revisions.
class Walk {
 public:
  Walk(Store& store, int number)
      : store_(store),
        prefix_("/" + std::to_string(number) + "/"),
        base_(Number(store.latest())),
        compacted_(base_) {
    watch_ = store_.WatchFrom(prefix_, Revision{base_}, sink_).value();
  }

  void Step() {
    switch (*rc::gen::weightedElement<int>({{6, 0}, {3, 1}, {1, 2}, {1, 3}})) {
      case 0:
        return Write();
      case 1:
        return List();
      case 2:
        return Watch();
      default:
        return Compact();
    }
  }

  void CheckWatch() {
    RC_ASSERT(sink_.changes().size() == pictures_.size() - 1);
    CheckChanges(sink_.changes(), base_);
  }

 private:
  std::int64_t latest() const { return base_ + static_cast<std::int64_t>(pictures_.size()) - 1; }
  const Picture& At(std::int64_t revision) const {
    return pictures_.at(static_cast<std::size_t>(revision - base_));
  }
  std::string SomeKey() const {
    return prefix_ + std::string(1, static_cast<char>('a' + *rc::gen::inRange(0, 5)));
  }

  void Write() {
    const std::string key = SomeKey();
    const Picture& now = pictures_.back();
    const auto at = now.find(key);
    const Revision right = at == now.end() ? kNoRevision : at->second.revision;
    const bool is_right = *rc::gen::inRange(0, 5) != 0;
    const Revision expected =
        is_right ? right : Revision{*rc::gen::inRange<std::int64_t>(0, latest() + 2)};
    const bool is_deletion = right != kNoRevision && *rc::gen::inRange(0, 3) == 0;
    const std::string value = std::to_string(latest() + 1);
    const Result<Revision> result =
        store_.CommitAndWait({key, is_deletion ? nullptr : MakeBytes(value), expected});
    RC_ASSERT(result.has_value() == (expected == right));
    if (!result.has_value()) {
      RC_ASSERT(result.error().reason == Reason::Conflict);
      return;
    }
    RC_ASSERT(Number(*result) == latest() + 1);
    Picture next = now;
    if (is_deletion) {
      next.erase(key);
    } else {
      next[key] = {value, *result};
    }
    pictures_.push_back(std::move(next));
  }

  void List() {
    const std::int64_t at = *rc::gen::inRange(base_, latest() + 2);
    const auto limit = *rc::gen::inRange<std::size_t>(0, 4);
    const std::string after = *rc::gen::inRange(0, 2) == 0 ? "" : SomeKey();
    // Revision 0 means the latest.
    const Result<Range> range =
        store_.List({.prefix = prefix_, .after = after, .limit = limit, .at = Revision{at}});
    if (at > latest() || (at != 0 && at < compacted_)) {
      RC_ASSERT(!range.has_value());
      RC_ASSERT(range.error().reason == (at > latest() ? Reason::Timeout : Reason::Expired));
      return;
    }
    const Picture& picture = At(at == 0 ? latest() : at);
    auto want = after.empty() ? picture.begin() : picture.upper_bound(after);
    for (const Record& record : range->records) {
      RC_ASSERT(want != picture.end());
      RC_ASSERT(record.key == want->first);
      RC_ASSERT((Held{*record.value, record.revision}) == want->second);
      ++want;
    }
    const auto left = static_cast<std::size_t>(std::distance(want, picture.end()));
    RC_ASSERT(range->remaining == left);
    RC_ASSERT(range->has_more == (left > 0));
    RC_ASSERT(left == 0 || range->records.size() == limit);
  }

  void Watch() {
    const std::int64_t after = *rc::gen::inRange(base_, latest() + 1);
    RecordingSink sink;
    const auto watch = store_.WatchFrom(prefix_, Revision{after}, sink);
    RC_ASSERT(watch.has_value() == (after >= compacted_));
    if (!watch.has_value()) return;
    CheckChanges(sink.WaitFor(static_cast<std::size_t>(latest() - after)), after);
  }

  void Compact() {
    const std::int64_t to = *rc::gen::inRange(base_, latest() + 1);
    RC_ASSERT(store_.Compact(Revision{to}).has_value());
    compacted_ = std::max(compacted_, to);
    RC_ASSERT(Number(store_.compacted()) == compacted_);
  }

  void CheckChanges(const std::vector<Change>& changes, std::int64_t after) const {
    for (const Change& change : changes) {
      RC_ASSERT(Number(change.revision) == ++after);
      const Picture& old = At(after - 1);
      const auto before = old.find(change.key);
      RC_ASSERT((change.before == nullptr) == (before == old.end()));
      if (before != old.end()) {
        RC_ASSERT((Held{*change.before, change.before_revision}) == before->second);
      }
      Picture next = old;
      next.erase(change.key);
      if (change.value != nullptr) next[change.key] = {*change.value, change.revision};
      RC_ASSERT(next == At(after));
    }
    RC_ASSERT(after == latest());
  }

  Store& store_;
  const std::string prefix_;
  const std::int64_t base_;
  std::int64_t compacted_;
  std::vector<Picture> pictures_{{}};  // one per revision, from base_ on
  RecordingSink sink_;
  std::unique_ptr<plimsoll::store::Watch> watch_;
};

class StorePropertyTest : public testing::TestWithParam<StoreKind> {};

TEST_P(StorePropertyTest, DoesAsTheModelDoes) {
  if (const std::string why = GetParam().missing(); !why.empty()) GTEST_SKIP() << why;
  const std::unique_ptr<StoreUnderTest> under_test = GetParam().make(kKeepAll);
  Store& store = under_test->store();
  int number = 0;
  EXPECT_TRUE(rc::check([&] {
    // Compacts what an earlier walk left, so that all walks begin in the same state.
    RC_ASSERT(store.Compact(store.latest()).has_value());
    Walk walk(store, ++number);
    for (int steps = *rc::gen::inRange(0, 40); steps > 0; --steps) walk.Step();
    walk.CheckWatch();
  }));
}

INSTANTIATE_TEST_SUITE_P(Every, StorePropertyTest, testing::ValuesIn(EveryStoreKind()),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace plimsoll::store
