#include "controller/eviction_history/eviction_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "api/object.h"
#include "codec/json.h"
#include "controller/eviction_history/history_entry.h"
#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Instant kStart(1'000'000s);

ObjectPtr Node(std::string_view taints, std::string_view manager = "exporter") {
  return Decode("apiVersion: v1\nkind: Node\nmetadata: {name: n1, managedFields: [{manager: " +
                std::string(manager) +
                ", operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': "
                "{'f:taints': {}}}}]}\nspec: {taints: [" +
                std::string(taints) + "]}\n");
}
ObjectPtr Pod() {
  return Decode(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default, uid: u, "
      "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: w, controller: "
      "true}]}\nspec: {}\n");
}
ObjectPtr Record(int number, Instant created, std::size_t entries) {
  const std::string name = "history-" + std::to_string(number);
  return Decode("apiVersion: plimsoll.io/v1alpha1\nkind: EvictionRecord\nmetadata: {name: " + name +
                ", uid: " + name + ", creationTimestamp: '" + FormatTime(created) +
                "', annotations: {plimsoll.io/entries: '" + std::to_string(entries) + "'}}\n");
}

class EvictionHistoryTest : public testing::Test {
 protected:
  void Start() { core_.Observe(Synced{}, turn()); }
  void Put(const ObjectPtr& before, const ObjectPtr& now) {
    core_.Observe(ObjectChanged{before, now}, turn());
  }
  void Evict(std::string_view reason = {}) {
    core_.Note({.type = EvictionFact::Type::Evicted,
                .pod = *pod_,
                .time = now_,
                .node = "n1",
                .taint = "k=1:NoExecute",
                .policy = {},
                .reason = reason,
                .due = {}});
  }
  /// Answers all writes and wakes the core until it wants to sleep beyond `time`.
  void RunFor(Duration time) {
    const Instant end = now_ + time;
    Answer();
    while (core_.NextWake() && *core_.NextWake() <= end) {
      now_ = std::max(now_, *core_.NextWake());
      core_.Wake(turn());
      Answer();
    }
    now_ = end;
  }
  void Answer() {
    while (!out_.empty()) {
      const Action action = std::move(out_.front());
      out_.erase(out_.begin());
      ActionId id = 0;
      if (const auto* const patch = std::get_if<PatchObject>(&action)) {
        id = patch->id;
        written_.push_back(patch->body);
      } else if (const auto* const get = std::get_if<GetObject>(&action)) {
        ++lookups_;
        core_.Observe(ActionFinished{get->id, {}, get->object.object()}, turn());
        continue;
      } else {
        const auto& remove = std::get<DeleteObject>(action);
        id = remove.id;
        removed_.emplace_back(remove.object.name());
        if (!is_refusing_) Put(remove.object.object(), nullptr);
      }
      const Status status = is_refusing_ ? Status(Fail(Reason::NotFound, "not served")) : Status();
      core_.Observe(ActionFinished{id, status}, turn());
    }
  }
  static std::size_t EntriesIn(const std::string& body) {
    return (*codec::ParseJson(body))->root().Find("entries")->items().size();
  }
  Turn turn() { return {now_, out_}; }

  EvictionHistory core_;
  Instant now_ = kStart;
  Actions out_;
  ObjectPtr pod_ = Pod();
  bool is_refusing_ = false;
  std::vector<std::string> written_;
  std::vector<std::string> removed_;
  std::size_t lookups_ = 0;
};

TEST_F(EvictionHistoryTest, ChangesOfTaintsAreWrittenWithTheirManager) {
  const ObjectPtr first = Node("{key: old, effect: NoExecute, value: '1'}");
  Put(nullptr, first);
  Start();
  RunFor(10s);
  EXPECT_THAT(written_, IsEmpty()) << "the taints at the start are not news";
  Put(first, Node("{key: old, effect: NoExecute, value: '2'}, {key: new, effect: NoSchedule}"));
  RunFor(10s);
  ASSERT_THAT(written_, SizeIs(1));
  EXPECT_EQ(written_[0],
            R"({"apiVersion":"plimsoll.io/v1alpha1","kind":"EvictionRecord","metadata":{)"
            R"("name":"history-1000010000","annotations":{"plimsoll.io/entries":"2"}},"entries":[)"
            R"({"type":"TaintChanged","time":"1970-01-12T13:46:50.000000Z","node":"n1",)"
            R"("taint":"old=2:NoExecute","manager":"exporter","valueBefore":"1"},)"
            R"({"type":"TaintAdded","time":"1970-01-12T13:46:50.000000Z","node":"n1",)"
            R"("taint":"new:NoSchedule","manager":"exporter"}]})");
  Put(Node("{key: new, effect: NoSchedule}", "rule"), Node(""));
  RunFor(10s);
  ASSERT_THAT(written_, SizeIs(2));
  EXPECT_THAT(written_[1], HasSubstr(R"("name":"history-1000010000")")) << "it is extended";
  EXPECT_THAT(written_[1], HasSubstr(R"("type":"TaintRemoved")"));
  EXPECT_EQ(lookups_, 2U);
  EXPECT_EQ(EntriesIn(written_[1]), 3U);
}

TEST_F(EvictionHistoryTest, ManyTaintsAtOnceAreNotAllLookedUp) {
  Start();
  for (int i = 0; i < 300; ++i) Put(Node(""), Node("{key: k, effect: NoExecute}"));
  EXPECT_THAT(out_, SizeIs(EvictionHistory::kLookupsMax + 1)) << "and a write of the others";
  RunFor(1min);
  EXPECT_EQ(lookups_, EvictionHistory::kLookupsMax);
  std::size_t owned = 0;
  for (std::size_t at = written_.back().find("exporter"); at != std::string::npos;
       at = written_.back().find("exporter", at + 1)) {
    ++owned;
  }
  EXPECT_EQ(owned, EvictionHistory::kLookupsMax);
}

TEST_F(EvictionHistoryTest, AMassEvictionCostsOneWritePerSecond) {
  Start();
  for (int i = 0; i < 9000; ++i) Evict();
  core_.Wake(turn());
  RunFor(3s);
  EXPECT_THAT(written_, SizeIs(4));
  RunFor(10s);
  ASSERT_THAT(written_, SizeIs(5));
  std::size_t sum = 0;
  for (const std::string& body : written_) {
    EXPECT_LE(EntriesIn(body), EvictionHistory::kEntriesPerRecordMax);
    EXPECT_LT(body.size(), 1'500'000U);
    sum += EntriesIn(body);
  }
  EXPECT_EQ(sum, 9000U);
  EXPECT_THAT(written_[0],
              HasSubstr(R"("namespace":"default","pod":"p","uid":"u","workload":"ReplicaSet/web",)"
                        R"("node":"n1","taint":"k=1:NoExecute"})"));
}

TEST_F(EvictionHistoryTest, SmallRecordsAreExtendedAndLargeOnesAreNot) {
  Start();
  for (int i = 0; i < 99; ++i) Evict();
  RunFor(5s);
  Evict();
  RunFor(5s);
  Evict();
  RunFor(5s);
  ASSERT_THAT(written_, SizeIs(3));
  EXPECT_EQ(EntriesIn(written_[1]), 100U);
  EXPECT_EQ(EntriesIn(written_[2]), 1U);
}

TEST_F(EvictionHistoryTest, ARefusedWriteIsRepeated) {
  Start();
  is_refusing_ = true;
  Evict();
  RunFor(95s);
  EXPECT_THAT(written_, SizeIs(4)) << "every 30 seconds";
  is_refusing_ = false;
  RunFor(30s);
  EXPECT_EQ(EntriesIn(written_.back()), 1U);
  const std::size_t writes = written_.size();
  RunFor(1h);
  EXPECT_THAT(written_, SizeIs(writes));
}

TEST_F(EvictionHistoryTest, TooManyFactsAreCounted) {
  Start();
  is_refusing_ = true;
  const std::string reason(1000, 'x');
  for (int i = 0; i < 20'000; ++i) Evict(reason);
  is_refusing_ = false;
  RunFor(1h);
  std::size_t sum = 0;
  bool tells = false;
  for (const std::string& body : written_) {
    sum += EntriesIn(body);
    tells |= body.contains("facts were lost");
  }
  EXPECT_LT(sum, 20'000U);
  EXPECT_TRUE(tells);
}

TEST_F(EvictionHistoryTest, OldRecordsGo) {
  Put(nullptr, Record(1, kStart - 7 * 24h + 1min, 5));
  Put(nullptr, Record(2, kStart - 8 * 24h, 5));
  Put(nullptr, Record(3, kStart, 5));
  Start();
  RunFor(10s);
  EXPECT_EQ(removed_, std::vector<std::string>{"history-2"});
  RunFor(1min);
  EXPECT_EQ(removed_, (std::vector<std::string>{"history-2", "history-1"}));
}

TEST_F(EvictionHistoryTest, RecordsAndEntriesAreLimited) {
  for (int i = 0; i < 1003; ++i) Put(nullptr, Record(i, kStart + std::chrono::seconds(i), 1));
  Start();
  RunFor(1min);
  EXPECT_EQ(removed_, (std::vector<std::string>{"history-0", "history-1", "history-2"}));
  for (int i = 2000; i < 2050; ++i) {
    Put(nullptr, Record(i, kStart + std::chrono::seconds(i), 2000));
  }
  RunFor(1h);
  EXPECT_THAT(removed_, SizeIs(1003)) << "the small ones are the oldest";
}

TEST_F(EvictionHistoryTest, RemovalsTakeTurnsWithWrites) {
  for (int i = 0; i < 1010; ++i) Put(nullptr, Record(i, kStart + std::chrono::seconds(i), 1));
  Start();
  for (int i = 0; i < 40'000; ++i) Evict();
  RunFor(10s);
  EXPECT_GE(removed_.size(), 4U);
  EXPECT_GE(written_.size(), 4U);
}

TEST(HistoryEntryTest, TextsAreCutBetweenCharacters) {
  const ObjectPtr pod = Pod();
  const std::string reason = "x" + [] {
    std::string wide;
    for (int i = 0; i < 1000; ++i) wide += "ä";
    return wide;
  }();
  const std::string entry = EntryOf({.type = EvictionFact::Type::HeldBack,
                                     .pod = *pod,
                                     .time = kStart,
                                     .node = {},
                                     .taint = {},
                                     .policy = "spot",
                                     .reason = reason,
                                     .due = kStart + 1min});
  const auto parsed = codec::ParseJson(entry);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ((*parsed)->root().Find("message")->text().size(), 1023U);
  EXPECT_EQ((*parsed)->root().Find("rule")->text(), "spot");
  EXPECT_EQ((*parsed)->root().Find("due")->text(), "1970-01-12T13:47:40Z");
}

}  // namespace
}  // namespace plimsoll::controller
