#include "runner/scheduler_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::runner {
namespace {

constexpr std::string_view kHead =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

Result<SchedulerConfig> Parse(std::string_view rest) {
  return ParseSchedulerConfig(std::string(kHead) + std::string(rest));
}

TEST(ParseSchedulerConfigTest, AnEmptyOneHasTheDefaults) {
  const auto config = Parse("");
  ASSERT_TRUE(config) << config.error().Text();
  ASSERT_EQ(config->profiles.size(), 1U);
  EXPECT_EQ(config->profiles[0].name, "default-scheduler");
  EXPECT_EQ(config->percentage_of_nodes_to_score, 100);
  EXPECT_TRUE(config->leader_election.leader_elect);
}

TEST(ParseSchedulerConfigTest, ReadsWhatIsThere) {
  const auto config = Parse(R"(
percentageOfNodesToScore: 50
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 20
parallelism: 16
leaderElection: {leaderElect: false, leaseDuration: 30s, renewDeadline: 20s, retryPeriod: 1.5s}
clientConnection: {kubeconfig: /etc/x.conf, qps: 50, burst: 100}
profiles:
- schedulerName: packing
  percentageOfNodesToScore: 0
  plugins:
    multiPoint: {disabled: [{name: ImageLocality}]}
    score: {enabled: [{name: NodeResourcesFit, weight: 5}], disabled: [{name: TaintToleration}]}
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 2}]}
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions: [{key: pool, operator: In, values: [a]}]
  - name: DefaultPreemption
    args: {minCandidateNodesPercentage: 5}
)");
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->backoff_max_seconds, 20);
  EXPECT_EQ(config->kubeconfig, "/etc/x.conf");
  EXPECT_EQ(config->leader_election.retry_period, std::chrono::milliseconds(1500));
  const ProfileConfig& profile = config->profiles.at(0);
  EXPECT_EQ(profile.percentage_of_nodes_to_score, 0);
  EXPECT_EQ(profile.args.fit.strategy, scheduler::FitStrategy::MostAllocated);
  EXPECT_EQ(profile.args.fit.resources.at(0).weight, 2);
  ASSERT_TRUE(profile.args.node_affinity.added_affinity);
  EXPECT_EQ(
      profile.args.node_affinity.added_affinity->required->terms.at(0).match_expressions.at(0).key,
      "pool");
  EXPECT_EQ(profile.args.preemption.min_candidate_nodes_percentage, 5);
}

struct Fault {
  std::string_view name;
  std::string_view text;
  std::string_view want;
};

class SchedulerConfigFaultTest : public testing::TestWithParam<Fault> {};

TEST_P(SchedulerConfigFaultTest, IsNamed) {
  const auto config = Parse(GetParam().text);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().Text(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, SchedulerConfigFaultTest,
    testing::Values(
        Fault{"unknown", "percentOfNodesToScore: 5",
              "percentOfNodesToScore: unknown field; did you mean percentageOfNodesToScore?"},
        Fault{"range", "percentageOfNodesToScore: 101",
              "percentageOfNodesToScore: must be from 0 to 100"},
        Fault{"kind_of_value", "podMaxBackoffSeconds: soon",
              "podMaxBackoffSeconds: must be an integer"},
        Fault{"order", "podInitialBackoffSeconds: 20",
              "podMaxBackoffSeconds: must be at least podInitialBackoffSeconds"},
        Fault{"duration", "leaderElection: {leaseDuration: 5 minutes}",
              "leaderElection.leaseDuration: must be a duration such as 15s or 1m30s"},
        Fault{"plugin", "profiles: [{plugins: {score: {enabled: [{name: Nope}]}}}]",
              "profiles[0].plugins.score.enabled[0].name: there is no plugin \"Nope\""},
        Fault{"plugin_twice",
              "profiles: [{plugins: {filter: {enabled: [{name: NodeName}, {name: NodeName}]}}}]",
              "profiles[0].plugins.filter.enabled[1].name: \"NodeName\" is listed twice"},
        Fault{
            "plugin_elsewhere", "profiles: [{plugins: {score: {enabled: [{name: NodeName}]}}}]",
            "profiles[0].plugins.score.enabled[0].name: \"NodeName\" has no such extension point"},
        Fault{"no_binder", "profiles: [{plugins: {bind: {disabled: [{name: '*'}]}}}]",
              "profiles[0].plugins.bind: at least one plugin must bind"},
        Fault{"no_order", "profiles: [{plugins: {queueSort: {disabled: [{name: '*'}]}}}]",
              "profiles[0].plugins.queueSort: one plugin must sort the queue"},
        Fault{"twice", "profiles: [{}, {schedulerName: default-scheduler}]",
              "profiles[1].schedulerName: must be unique: another profile has this name"},
        Fault{"args",
              "profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: "
              "101}}]}]",
              "profiles[0].pluginConfig[0].args.hardPodAffinityWeight: must be from 0 to 100"},
        Fault{"filter_timeout",
              "profiles: [{pluginConfig: [{name: DynamicResources, args: {filterTimeout: -1s}}]}]",
              "profiles[0].pluginConfig[0].args.filterTimeout: must be zero or positive"},
        Fault{"args_of_another",
              "profiles: [{pluginConfig: [{name: NodePorts, args: {shape: []}}]}]",
              "profiles[0].pluginConfig[0].args.shape: unknown field"},
        Fault{"extenders", "extenders: []", "extenders: extenders are not supported"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ParseSchedulerConfigTest, ReadsHowLongDevicesAreWaitedFor) {
  const auto config = Parse(
      "profiles: [{pluginConfig: [{name: DynamicResources, args: {filterTimeout: 0s}}]}, "
      "{schedulerName: other}]");
  ASSERT_TRUE(config);
  const scheduler::DynamicResourcesArgs& args = config->profiles.at(0).args.dynamic_resources;
  EXPECT_EQ(args.filter_timeout, Duration::zero());
  EXPECT_EQ(config->profiles.at(1).args.dynamic_resources.filter_timeout, std::chrono::seconds(10));
}

TEST(ParseSchedulerConfigTest, WantsItsKind) {
  EXPECT_EQ(ParseSchedulerConfig("kind: KubeSchedulerConfiguration").error().Text(),
            "apiVersion: must be kubescheduler.config.k8s.io/v1");
  EXPECT_FALSE(ParseSchedulerConfig(""));
  EXPECT_FALSE(ParseSchedulerConfig("[]"));
  EXPECT_FALSE(ParseSchedulerConfig("{"));
}

/// Returns a profile's plugins at a point, in the order of their calls: `A B*3`, with the weight if
/// it scores with another weight than 1. Shows the first ones, then `…`.
template <class Base>
std::string PluginsAt(const ProfileConfig& profile) {
  constexpr std::size_t kShown = 5;
  scheduler::ClusterState cluster{match::Rules{}};
  SchedulerConfig config;
  config.profiles = {profile};
  const scheduler::Framework framework(cluster,
                                       MakeProfiles(config, true).at(0).make_plugins(cluster), {});
  const auto& order = framework.At<Base>();
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const scheduler::EnabledPlugin& one = framework.plugins()[order[i].index];
    if (i > 0) text += ' ';
    if (i == kShown) return text += "…";
    text += one.name();
    if (Base::kPoint == scheduler::kScore && one.weight != 1)
      text += "*" + std::to_string(one.weight);
  }
  return text;
}

struct PluginOrder {
  std::string_view name;
  std::string_view plugins;
  std::string_view filter;
  std::string_view score;
};

class PluginOrderTest : public testing::TestWithParam<PluginOrder> {};

TEST_P(PluginOrderTest, IsUpstreams) {
  const auto config = Parse("profiles: [{plugins: {" + std::string(GetParam().plugins) + "}}]");
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(PluginsAt<scheduler::FilterPlugin>(config->profiles[0]), GetParam().filter);
  EXPECT_EQ(PluginsAt<scheduler::ScorePlugin>(config->profiles[0]), GetParam().score);
}

constexpr std::string_view kFilters =
    "NodeName NodeUnschedulable TaintToleration NodeAffinity NodePorts …";
constexpr std::string_view kScores =
    "TaintToleration*3 NodeAffinity*2 NodeResourcesFit VolumeBinding PodTopologySpread*2 …";

INSTANTIATE_TEST_SUITE_P(
    All, PluginOrderTest,
    testing::Values(
        PluginOrder{"defaults", "", kFilters, kScores},
        PluginOrder{"one_is_taken_out", "multiPoint: {disabled: [{name: NodeUnschedulable}]}",
                    "NodeName TaintToleration NodeAffinity NodePorts NodeResourcesFit …", kScores},
        PluginOrder{"all_are_taken_out",
                    "multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: "
                    "DefaultBinder}, {name: NodeResourcesFit}, "
                    "{name: NodeName}]}",
                    "NodeResourcesFit NodeName", "NodeResourcesFit"},
        // At its default place, with the given weight.
        PluginOrder{"another_weight", "multiPoint: {enabled: [{name: NodeAffinity, weight: 7}]}",
                    kFilters,
                    "TaintToleration*3 NodeAffinity*7 NodeResourcesFit VolumeBinding "
                    "PodTopologySpread*2 …"},
        PluginOrder{"enabled_without_a_weight", "multiPoint: {enabled: [{name: TaintToleration}]}",
                    kFilters,
                    "TaintToleration NodeAffinity*2 NodeResourcesFit VolumeBinding "
                    "PodTopologySpread*2 …"},
        // Disabled and enabled again: at the end.
        PluginOrder{"moved_to_the_end",
                    "multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: "
                    "DefaultBinder}, {name: NodePorts}, {name: "
                    "NodeAffinity, weight: 4}, {name: NodeName}]}",
                    "NodePorts NodeAffinity NodeName", "NodeAffinity*4"},
        // Plugins that a point names come before the rest of multiPoint, in the point's order.
        PluginOrder{"order_at_a_point", "filter: {enabled: [{name: NodePorts}, {name: NodeName}]}",
                    "NodePorts NodeName NodeUnschedulable TaintToleration NodeAffinity …", kScores},
        PluginOrder{"weight_at_a_point", "score: {enabled: [{name: ImageLocality, weight: 9}]}",
                    kFilters,
                    "ImageLocality*9 TaintToleration*3 NodeAffinity*2 NodeResourcesFit "
                    "VolumeBinding …"},
        PluginOrder{"the_point_outweighs_multipoint",
                    "multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: "
                    "DefaultBinder}, {name: NodeAffinity, weight: "
                    "4}, {name: TaintToleration, weight: 5}]}, score: {enabled: [{name: "
                    "TaintToleration}]}",
                    "NodeAffinity TaintToleration", "TaintToleration NodeAffinity*4"},
        PluginOrder{"taken_out_at_a_point", "score: {disabled: [{name: TaintToleration}]}",
                    kFilters,
                    "NodeAffinity*2 NodeResourcesFit VolumeBinding PodTopologySpread*2 "
                    "InterPodAffinity*2 …"},
        PluginOrder{"all_taken_out_at_a_point",
                    "score: {disabled: [{name: '*'}], enabled: [{name: NodeAffinity}, {name: "
                    "TaintToleration, weight: 2}]}",
                    kFilters, "NodeAffinity TaintToleration*2"},
        // Disabled for the point, so that it counts as named by the point only: at the end.
        PluginOrder{"taken_out_and_enabled_at_a_point",
                    "multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: "
                    "DefaultBinder}, {name: NodeAffinity}, {name: "
                    "ImageLocality}]}, score: {disabled: [{name: NodeAffinity}], enabled: [{name: "
                    "NodeAffinity, weight: 6}]}",
                    "NodeAffinity", "ImageLocality NodeAffinity*6"},
        PluginOrder{"only_at_a_point",
                    "multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: "
                    "DefaultBinder}, {name: NodeName}]}, filter: "
                    "{enabled: [{name: NodeAffinity}]}",
                    "NodeName NodeAffinity", ""}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace plimsoll::runner
