#include "scheduler/framework/node_ranking.h"

#include <gtest/gtest.h>

#include "scheduler/framework/node_ranking_cache.h"
#include "scheduler/framework/plugin_for_test.h"
#include "scheduler/limits.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

class NodeRankingTest : public testing::Test {
 protected:
  NodeRankingTest() {
    NodeScopedFake& fixed = Add("Fixed", kFilter);
    fixed.changes = kTaints;
    fixed.judge = [this](const NodeView& node) {
      return cluster_.index().Taints(node.slot).empty() ? Verdict()
                                                        : Verdict::Of(Code::Unschedulable, "taint");
    };
    fixed_ = &fixed;
    NodeScopedFake& room = Add("Room", kFilter | kScore);
    room.changes = kPods;
    room.judge = [](const NodeView& node) {
      return node.row.pods.size() < 3 ? Verdict() : Verdict::Of(Code::Unschedulable, "full");
    };
    room.score = [](const NodeView& node) {
      return 100 - 10 * static_cast<std::int64_t>(node.row.pods.size());
    };
    room_ = &room;
    NodeScopedFake& raw = Add("Raw", kScore);
    raw.changes = kUnschedulable;
    raw.normalize = Normalization::Lowest;
    raw.score = [this](const NodeView& node) {
      return static_cast<std::int64_t>(node.row.unschedulable ? 1 : 0) * (node.slot + factor_);
    };
    raw_ = &raw;
    for (int i = 0; i < 4; ++i) Node(i);
    pod_ = cluster_.UpsertPod(PodFromYaml("p", "{containers: [{name: c}]}"));
  }

  NodeScopedFake& Add(std::string name, ExtensionPoints points) {
    auto plugin = std::make_unique<NodeScopedFake>(cluster_, std::move(name));
    NodeScopedFake& added = *plugin;
    plugins_.push_back({std::move(plugin), points, 1});
    return added;
  }
  NodeSlot Node(int i, std::string_view spec = "{}") {
    return cluster_.UpsertNode(*NodeFromYaml("n" + std::to_string(i), "{}", spec)->As<api::Node>());
  }
  void Bind(std::string_view name, std::string_view node) {
    cluster_.UpsertPod(
        PodFromYaml(name, "{containers: [{name: c}], nodeName: " + std::string(node) + "}"));
  }
  PodUnderTest Pod() const {
    return {pod_, *cluster_.pod(pod_).pod, *cluster_.pod(pod_).pod_class};
  }
  NodeRanking& ranking() { return rankings_.Get(Pod()); }
  std::vector<std::int64_t> Totals() {
    std::vector<std::int64_t> totals(cluster_.slot_limit(), -1);
    NodeRanking& kept = ranking();
    kept.WriteTotals(kept.feasible(), totals);
    return totals;
  }

  ClusterState cluster_{match::Rules{}};
  std::vector<EnabledPlugin> plugins_;
  NodeRankingCache rankings_{cluster_, plugins_};
  PodId pod_ = kNoPod;
  NodeScopedFake* fixed_ = nullptr;
  NodeScopedFake* room_ = nullptr;
  NodeScopedFake* raw_ = nullptr;
  std::int64_t factor_ = 1;
};

using Numbers = std::vector<std::int64_t>;

TEST_F(NodeRankingTest, AsksAgainOnlyWhatAChangeConcerns) {
  EXPECT_EQ(Totals(), (Numbers{200, 200, 200, 200}));
  fixed_->judged = room_->judged = room_->scored = raw_->scored = 0;
  Bind("a", "n1");
  EXPECT_EQ(Totals(), (Numbers{200, 190, 200, 200}));
  EXPECT_EQ(fixed_->judged, 0);
  EXPECT_EQ(room_->judged, 1);
  EXPECT_EQ(room_->scored, 1);
  EXPECT_EQ(raw_->scored, 0);
}

TEST_F(NodeRankingTest, ANodeRefusedForATaintIsNotAskedAgainWhenPodsCome) {
  Node(2, "{taints: [{key: k, effect: NoSchedule}]}");
  EXPECT_EQ(Totals(), (Numbers{200, 200, -1, 200}));
  fixed_->judged = room_->judged = 0;
  Bind("a", "n2");
  EXPECT_EQ(Totals(), (Numbers{200, 200, -1, 200}));
  EXPECT_EQ(fixed_->judged + room_->judged, 0);
  Node(2);
  EXPECT_EQ(Totals(), (Numbers{200, 200, 190, 200}));
}

TEST_F(NodeRankingTest, NormalizesAnewWhenTheHighestComesOrGoes) {
  EXPECT_EQ(Totals(), (Numbers{200, 200, 200, 200}));
  Node(1, "{unschedulable: true}");
  EXPECT_EQ(Totals(), (Numbers{200, 100, 200, 200}));
  Node(3, "{unschedulable: true}");
  EXPECT_EQ(Totals(), (Numbers{200, 150, 200, 100}));
  for (const char* name : {"a", "b", "c"}) Bind(name, "n3");
  EXPECT_EQ(Totals(), (Numbers{200, 100, 200, -1}));
  // A subset of the nodes may have another highest score.
  Node(2, "{unschedulable: true}");
  EXPECT_EQ(Totals(), (Numbers{200, 134, 100, -1}));
  Bitmap some(4);
  some.Set(1);
  some.Set(0);
  Numbers totals(4);
  ranking().WriteTotals(some, totals);
  EXPECT_EQ(totals, (Numbers{200, 100, 0, 0}));
  some.Reset(0);
  Random random(1);
  EXPECT_EQ(ranking().PickAmong(some, random), 1U);
}

TEST_F(NodeRankingTest, NodesComeAndGo) {
  EXPECT_EQ(Totals(), (Numbers{200, 200, 200, 200}));
  cluster_.RemoveNode("n1");
  EXPECT_EQ(Totals(), (Numbers{200, -1, 200, 200}));
  EXPECT_EQ(ranking().feasible_count(), 3U);
  for (int i = 10; i < 14; ++i) Node(i);
  EXPECT_EQ(Totals(), (Numbers{200, 200, 200, 200, 200, 200, 200}));
}

TEST_F(NodeRankingTest, StartsAnewWhenTheJournalHasForgotten) {
  Totals();
  const ObjectPtr with = NodeFromYaml("n0", "{}", "{unschedulable: true}");
  const ObjectPtr without = NodeFromYaml("n0");
  for (int i = 0; i < 10'000; ++i) {
    cluster_.UpsertNode(*with->As<api::Node>());
    cluster_.UpsertNode(*without->As<api::Node>());
  }
  Bind("a", "n1");
  EXPECT_EQ(Totals(), (Numbers{200, 190, 200, 200}));
}

TEST_F(NodeRankingTest, AsksAPluginAgainAboutAllWhenItsVersionChanges) {
  Node(0, "{unschedulable: true}");
  Node(1, "{unschedulable: true}");
  EXPECT_EQ(Totals(), (Numbers{150, 100, 200, 200}));
  factor_ = 3;
  EXPECT_EQ(Totals(), (Numbers{150, 100, 200, 200}));
  room_->scored = 0;
  raw_->version = 1;
  EXPECT_EQ(Totals(), (Numbers{125, 100, 200, 200}));
  EXPECT_EQ(room_->scored, 0);
  fixed_->judge = nullptr;
  Node(3, "{taints: [{key: k, effect: NoSchedule}]}");
  fixed_->version = 1;
  EXPECT_EQ(Totals(), (Numbers{125, 100, 200, 200}));
}

TEST_F(NodeRankingTest, AClassThatIsRefusedOrNarrowedHasNoAnswers) {
  fixed_->pre_filter = [](const PodUnderTest&) {
    return PreFilterOutcome{{}, nullptr, std::vector<NodeSlot>{1}};
  };
  EXPECT_FALSE(ranking().is_valid());
}

TEST_F(NodeRankingTest, TheOldestBoardsGoWhenThereIsNoRoom) {
  NodeRankingCache cache(cluster_, plugins_, 6'000);
  std::vector<PodId> pods;
  for (int i = 0; i < 40; ++i) {
    pods.push_back(cluster_.UpsertPod(
        PodFromYaml("q" + std::to_string(i),
                    "{containers: [{name: c}], priority: " + std::to_string(i) + "}")));
    const PodRecord& record = cluster_.pod(pods.back());
    cache.Get({pods.back(), *record.pod, *record.pod_class});
  }
  EXPECT_LT(cache.size(), 20U);
  EXPECT_GT(cache.size(), 1U);
  EXPECT_LE(cache.MemoryBytes(), 6'000 + 4 * kRankingBytesPerNodeMax);
}

}  // namespace
}  // namespace plimsoll::scheduler
