#include "runner/scheduler_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::runner {
namespace {

using scheduler::kFilter;
using scheduler::kScore;
using testing::Contains;
using testing::Not;

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
        Fault{"twice", "profiles: [{}, {schedulerName: default-scheduler}]",
              "profiles[1].schedulerName: another profile has this name"},
        Fault{"args",
              "profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: "
              "101}}]}]",
              "profiles[0].pluginConfig[0].args.hardPodAffinityWeight: must be from 0 to 100"},
        Fault{"args_of_another",
              "profiles: [{pluginConfig: [{name: NodePorts, args: {shape: []}}]}]",
              "profiles[0].pluginConfig[0].args.shape: unknown field"},
        Fault{"extenders", "extenders: []", "extenders: extenders are not supported"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ParseSchedulerConfigTest, WantsItsKind) {
  EXPECT_EQ(ParseSchedulerConfig("kind: KubeSchedulerConfiguration").error().Text(),
            "apiVersion: must be kubescheduler.config.k8s.io/v1");
  EXPECT_FALSE(ParseSchedulerConfig(""));
  EXPECT_FALSE(ParseSchedulerConfig("[]"));
  EXPECT_FALSE(ParseSchedulerConfig("{"));
}

std::vector<std::string> NamesAt(const std::vector<scheduler::EnabledPlugin>& plugins,
                                 scheduler::ExtensionPoint point) {
  std::vector<std::string> names;
  for (const scheduler::EnabledPlugin& one : plugins) {
    if ((one.points & point) != 0) names.emplace_back(one.plugin->name());
  }
  return names;
}

TEST(MakeProfilesTest, PluginsAreTakenOutAndWeighed) {
  const auto config = Parse(R"(
profiles:
- plugins:
    multiPoint: {disabled: [{name: ImageLocality}]}
    score: {enabled: [{name: NodeResourcesFit, weight: 5}], disabled: [{name: TaintToleration}]}
)");
  ASSERT_TRUE(config);
  scheduler::ClusterState cluster{match::Rules{}};
  const auto plugins = MakeProfiles(*config, true).at(0).make_plugins(cluster);
  EXPECT_THAT(NamesAt(plugins, kScore), Not(Contains("ImageLocality")));
  EXPECT_THAT(NamesAt(plugins, kScore), Not(Contains("TaintToleration")));
  EXPECT_THAT(NamesAt(plugins, kFilter), Contains("TaintToleration"));
  for (const scheduler::EnabledPlugin& one : plugins) {
    if (one.plugin->name() == "NodeResourcesFit") {
      EXPECT_EQ(one.weight, 5);
    }
  }
}

TEST(MakeProfilesTest, AStarTakesOutAll) {
  const auto config = Parse(
      "profiles: [{plugins: {multiPoint: {disabled: [{name: '*'}], enabled: [{name: "
      "NodeName}]}}}]");
  ASSERT_TRUE(config);
  scheduler::ClusterState cluster{match::Rules{}};
  const auto plugins = MakeProfiles(*config, true).at(0).make_plugins(cluster);
  ASSERT_EQ(plugins.size(), 1U);
  EXPECT_EQ(plugins[0].plugin->name(), "NodeName");
}

}  // namespace
}  // namespace plimsoll::runner
