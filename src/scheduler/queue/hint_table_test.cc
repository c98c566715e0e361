#include "scheduler/queue/hint_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/limits.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/queue/event_label.h"
#include "scheduler/scripted_plugin_for_test.h"

namespace plimsoll::scheduler {
namespace {

class HintTableTest : public testing::Test {
 protected:
  HintTableTest() {
    std::vector<EnabledPlugin> plugins;
    for (const char* name : {"A", "B", "C"}) {
      auto plugin = std::make_unique<ScriptedPlugin>(cluster_, name);
      scripts_.push_back(plugin.get());
      plugins.push_back({std::move(plugin), kFilter | kPreEnqueue, 1});
    }
    plugins[2].points = kFilter;  // its PreEnqueue is disabled
    scripts_[0]->interests = {{EventResource::Node, kAdd | kUpdateNodeTaint}};
    scripts_[1]->interests = {{EventResource::Node, kDelete}, {EventResource::AssignedPod, kAll}};
    scripts_[2]->interests = {{EventResource::Any, kAll}};
    FrameworkOptions options;
    options.stopwatch = [this] { return elapsed_ += std::chrono::milliseconds(1); };
    framework_ = std::make_unique<Framework>(cluster_, std::move(plugins), std::move(options));
    table_ = std::make_unique<HintTable>(*framework_, metrics_);
  }
  static ClusterEvent Event(EventResource resource, EventActions action) {
    return MakeEvent(resource, action, nullptr, nullptr);
  }

  MetricsRegistry registry_;
  SchedulerMetrics metrics_{registry_, {}};
  Duration elapsed_ = Duration::zero();
  ClusterState cluster_{match::Rules{}};
  std::vector<ScriptedPlugin*> scripts_;
  std::unique_ptr<Framework> framework_;
  std::unique_ptr<HintTable> table_;
};

TEST_F(HintTableTest, KnowsWhoIsInterested) {
  EXPECT_EQ(table_->Interested(Event(EventResource::Node, kAdd)), 0b101U);
  EXPECT_EQ(table_->Interested(Event(EventResource::Node, kDelete)), 0b110U);
  EXPECT_EQ(table_->Interested(Event(EventResource::AssignedPod, kUpdatePodLabel)), 0b110U);
  EXPECT_EQ(table_->Interested(Event(EventResource::CSINode, kAdd)), 0b100U);
}

TEST_F(HintTableTest, KnowsWhatIsAwaited) {
  EXPECT_EQ(table_->Awaited(0b001, EventResource::Node), EventActions{kAdd | kUpdateNodeTaint});
  EXPECT_EQ(table_->Awaited(0b011, EventResource::Node),
            EventActions{kAdd | kUpdateNodeTaint | kDelete});
  EXPECT_EQ(table_->Awaited(0b001, EventResource::AssignedPod), 0U);
  EXPECT_EQ(table_->Awaited(0b100, EventResource::CSINode), kAll);
}

TEST_F(HintTableTest, AsksUntilOneSeesAChance) {
  const PodId id = cluster_.UpsertPod(PodFromYaml("p", "{}"));
  const ClusterEvent event = Event(EventResource::Node, kAdd);
  scripts_[0]->hint = [](const PodClass&, const ClusterEvent&) { return Hint::Skip; };
  EXPECT_FALSE(table_->AnyQueues(0b001, cluster_.pod(id), event));
  EXPECT_TRUE(table_->AnyQueues(0b111, cluster_.pod(id), event));
  EXPECT_FALSE(table_->AnyQueues(0, cluster_.pod(id), event));
  EXPECT_EQ(scripts_[0]->hints_asked, 2);
  EXPECT_EQ(scripts_[1]->hints_asked, 1);
  EXPECT_EQ(scripts_[2]->hints_asked, 0);
}

TEST_F(HintTableTest, TimesEachAnswer) {
  const PodId id = cluster_.UpsertPod(PodFromYaml("p", "{}"));
  scripts_[0]->hint = [](const PodClass&, const ClusterEvent&) { return Hint::Skip; };
  table_->AnyQueues(0b111, cluster_.pod(id), Event(EventResource::Node, kAdd));
  const std::string text = registry_.Text();
  for (const std::string series : {"event=\"NodeAdd\",hint=\"QueueSkip\",plugin=\"A\"",
                                   "event=\"NodeAdd\",hint=\"Queue\",plugin=\"B\""}) {
    EXPECT_THAT(text, testing::HasSubstr("queueing_hint_execution_duration_seconds_sum{" + series +
                                         "} 0.001"));
  }
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("plugin=\"C\"")));
}

TEST_F(HintTableTest, FindsPluginsByName) {
  EXPECT_EQ(table_->Named({"B", "C", "unknown"}), 0b110U);
  EXPECT_EQ(table_->Named({}), 0U);
}

TEST_F(HintTableTest, FindsTheFirstGate) {
  const ObjectPtr pod = PodFromYaml("p", "{}");
  const auto closed = [](const api::Object&) { return Verdict::Of(Code::Unschedulable, "wait"); };
  EXPECT_EQ(table_->Gate(*pod), -1);
  scripts_[2]->pre_enqueue = closed;
  EXPECT_EQ(table_->Gate(*pod), -1);
  scripts_[1]->pre_enqueue = closed;
  EXPECT_EQ(table_->Gate(*pod), 1);
}

TEST_F(HintTableTest, TakesSoManyPluginsAndNoMore) {
  const auto make = [&](std::size_t count) {
    std::vector<EnabledPlugin> plugins;
    for (std::size_t i = 0; i < count; ++i) {
      plugins.push_back(
          {std::make_unique<ScriptedPlugin>(cluster_, "p" + std::to_string(i)), kFilter, 1});
    }
    return Framework(cluster_, std::move(plugins), FrameworkOptions{});
  };
  const Framework largest = make(kProfilePluginsMax);
  EXPECT_EQ(HintTable(largest, metrics_).Named(std::vector<std::string_view>{"p63"}),
            PluginSet{1} << 63);
  const Framework too_large = make(kProfilePluginsMax + 1);
  EXPECT_DEATH(HintTable(too_large, metrics_), "assertion failed");
}

}  // namespace
}  // namespace plimsoll::scheduler
