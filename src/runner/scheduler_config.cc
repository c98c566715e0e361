#include "runner/scheduler_config.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "codec/yaml.h"
#include "runner/plugin_args.h"
#include "runner/strict_fields.h"
#include "scheduler/plugins/registry.h"

namespace plimsoll::runner {
namespace {

using scheduler::ExtensionPoint;
using Fault = StrictFields::Fault;

constexpr std::string_view kApiVersion = "kubescheduler.config.k8s.io/v1";
constexpr auto kMost = std::numeric_limits<std::int32_t>::max();

struct NamedPoint {
  std::string_view name;
  ExtensionPoint point;
};
constexpr std::array kPoints = {
    NamedPoint{"preEnqueue", scheduler::kPreEnqueue},
    NamedPoint{"queueSort", scheduler::kQueueSort},
    NamedPoint{"preFilter", scheduler::kPreFilter},
    NamedPoint{"filter", scheduler::kFilter},
    NamedPoint{"postFilter", scheduler::kPostFilter},
    NamedPoint{"preScore", scheduler::kPreScore},
    NamedPoint{"score", scheduler::kScore},
    NamedPoint{"reserve", scheduler::kReserve},
    NamedPoint{"permit", scheduler::kPermit},
    NamedPoint{"preBind", scheduler::kPreBind},
    NamedPoint{"bind", scheduler::kBind},
    NamedPoint{"postBind", scheduler::kPostBind},
};

bool IsPlugin(std::string_view name) {
  return std::ranges::any_of(scheduler::DefaultPlugins(),
                             [&](const auto& plugin) { return plugin.name == name; });
}

void ReadChanges(StrictFields& fields, std::string_view key, bool may_be_all,
                 std::vector<PluginChange>& out) {
  fields.List(key, [&](StrictFields& item) {
    PluginChange change;
    item.Read("name", change.name);
    item.Read("weight", change.weight, 0, kMost);
    const bool is_known = IsPlugin(change.name) || (may_be_all && change.name == "*");
    if (!is_known) item.Refuse("name", "there is no plugin \"" + change.name + "\"");
    out.push_back(std::move(change));
  });
}

PluginSet ReadSet(StrictFields& fields) {
  PluginSet set;
  ReadChanges(fields, "enabled", false, set.enabled);
  ReadChanges(fields, "disabled", true, set.disabled);
  return set;
}

ProfileConfig ReadProfile(StrictFields& fields, std::shared_ptr<codec::Document> document) {
  ProfileConfig profile;
  fields.Read("schedulerName", profile.name);
  if (fields.Has("percentageOfNodesToScore")) {
    std::int32_t percentage = 0;
    fields.Read("percentageOfNodesToScore", percentage, 0, 100);
    profile.percentage_of_nodes_to_score = percentage;
  }
  fields.Object("plugins", [&](StrictFields& plugins) {
    plugins.Object("multiPoint", [&](StrictFields& set) { profile.multi_point = ReadSet(set); });
    for (const auto& [name, point] : kPoints) {
      plugins.Object(name,
                     [&](StrictFields& set) { profile.points.emplace_back(point, ReadSet(set)); });
    }
  });
  fields.List("pluginConfig", [&](StrictFields& item) {
    std::string name;
    item.Read("name", name);
    if (!IsPlugin(name)) item.Refuse("name", "there is no plugin \"" + name + "\"");
    item.Object("args",
                [&](StrictFields& args) { ReadPluginArgs(name, args, *document, profile.args); });
  });
  profile.args.texts = std::move(document);
  return profile;
}

void ReadLeaderElection(StrictFields& fields, LeaderElectionConfig& out) {
  fields.Read("leaderElect", out.leader_elect);
  fields.Read("leaseDuration", out.lease_duration);
  fields.Read("renewDeadline", out.renew_deadline);
  fields.Read("retryPeriod", out.retry_period);
  fields.Read("resourceName", out.resource_name);
  fields.Read("resourceNamespace", out.resource_namespace);
  std::string lock = "leases";
  fields.Read("resourceLock", lock);
  if (lock != "leases") fields.Refuse("resourceLock", "must be leases");
}

void ReadClientConnection(StrictFields& fields, SchedulerConfig& out) {
  fields.Read("kubeconfig", out.kubeconfig);
  // Contents and rates of upstream's client; ours speaks JSON and is bounded by its connections.
  std::string ignored;
  fields.Read("acceptContentTypes", ignored);
  fields.Read("contentType", ignored);
  fields.SkipNumber("qps");
  fields.SkipNumber("burst");
}

void ReadAll(StrictFields& root, const std::shared_ptr<codec::Document>& document,
             SchedulerConfig& out) {
  std::string version;
  std::string kind;
  root.Read("apiVersion", version);
  root.Read("kind", kind);
  if (version != kApiVersion) root.Refuse("apiVersion", "must be " + std::string(kApiVersion));
  if (kind != "KubeSchedulerConfiguration") {
    root.Refuse("kind", "must be KubeSchedulerConfiguration");
  }
  root.SkipNumber("parallelism");
  bool ignored = false;
  root.Read("enableProfiling", ignored);
  root.Read("enableContentionProfiling", ignored);
  root.Read("delayCacheUntilActive", ignored);
  root.Read("percentageOfNodesToScore", out.percentage_of_nodes_to_score, 0, 100);
  root.Read("podInitialBackoffSeconds", out.backoff_initial_seconds, 1, kMost);
  root.Read("podMaxBackoffSeconds", out.backoff_max_seconds, 1, kMost);
  if (out.backoff_max_seconds < out.backoff_initial_seconds) {
    root.Refuse("podMaxBackoffSeconds", "must be at least podInitialBackoffSeconds");
  }
  root.Object("leaderElection",
              [&](StrictFields& fields) { ReadLeaderElection(fields, out.leader_election); });
  root.Object("clientConnection", [&](StrictFields& fields) { ReadClientConnection(fields, out); });
  if (root.Has("extenders")) root.Refuse("extenders", "extenders are not supported");
  if (!root.Has("profiles")) return;
  out.profiles.clear();
  root.List("profiles", [&](StrictFields& fields) {
    out.profiles.push_back(ReadProfile(fields, document));
    const auto earlier =
        std::ranges::count(out.profiles, out.profiles.back().name, &ProfileConfig::name);
    if (earlier > 1) fields.Refuse("schedulerName", "another profile has this name");
    if (out.profiles.back().name.empty()) fields.Refuse("schedulerName", "must not be empty");
  });
  if (out.profiles.empty()) root.Refuse("profiles", "there must be at least one");
}

bool Takes(const std::vector<PluginChange>& changes, std::string_view name) {
  return std::ranges::any_of(
      changes, [&](const PluginChange& one) { return one.name == name || one.name == "*"; });
}

/// A plugin of a profile before it is made.
struct Planned {
  std::string_view name;
  std::int64_t weight = 0;
  scheduler::ExtensionPoints points = 0;
};

/// The default plugins less what is taken out, and then what is enabled: in the place of one that
/// was there, or at the end.
std::vector<Planned> PlanPlugins(const ProfileConfig& profile) {
  constexpr scheduler::ExtensionPoints kEverywhere = 0xffff;
  std::vector<Planned> plan;
  const auto place_of = [&](std::string_view name) -> Planned& {
    const auto found = std::ranges::find(plan, name, &Planned::name);
    if (found != plan.end()) return *found;
    const auto defaults = scheduler::DefaultPlugins();
    const auto known = std::ranges::find(defaults, name, &scheduler::DefaultPlugin::name);
    return plan.emplace_back(Planned{known->name, known->weight, 0});
  };
  for (const scheduler::DefaultPlugin& one : scheduler::DefaultPlugins()) {
    if (!Takes(profile.multi_point.disabled, one.name)) {
      plan.push_back({one.name, one.weight, kEverywhere});
    }
  }
  for (const PluginChange& change : profile.multi_point.enabled) {
    Planned& planned = place_of(change.name);
    planned.points = kEverywhere;
    if (change.weight != 0) planned.weight = change.weight;
  }
  for (const auto& [point, set] : profile.points) {
    for (Planned& planned : plan) {
      if (Takes(set.disabled, planned.name)) {
        planned.points = static_cast<scheduler::ExtensionPoints>(planned.points & ~point);
      }
    }
    for (const PluginChange& change : set.enabled) {
      Planned& planned = place_of(change.name);
      planned.points = static_cast<scheduler::ExtensionPoints>(planned.points | point);
      if (point == scheduler::kScore && change.weight != 0) planned.weight = change.weight;
    }
  }
  std::erase_if(plan, [](const Planned& planned) { return planned.points == 0; });
  return plan;
}

std::vector<scheduler::EnabledPlugin> MakePlugins(const ProfileConfig& profile,
                                                  scheduler::ClusterState& cluster) {
  std::vector<scheduler::EnabledPlugin> plugins;
  for (const Planned& planned : PlanPlugins(profile)) {
    auto plugin = scheduler::MakePlugin(planned.name, cluster, profile.args);
    const auto points = static_cast<scheduler::ExtensionPoints>(plugin->points() & planned.points);
    // A plugin that scores and was given no weight counts once.
    plugins.push_back({std::move(plugin), points, std::max<std::int64_t>(planned.weight, 1)});
  }
  return plugins;
}

}  // namespace

Result<SchedulerConfig> ParseSchedulerConfig(std::string_view text) {
  auto documents = PL_TRY(codec::ParseYaml(text));
  if (documents.size() != 1) {
    return Fail(Reason::BadRequest, "the file must hold one KubeSchedulerConfiguration");
  }
  const std::shared_ptr<codec::Document> document = std::move(documents.front());
  SchedulerConfig config;
  Fault fault;
  {
    StrictFields root(&document->root(), "", fault);
    ReadAll(root, document, config);
  }
  if (fault) return std::unexpected(*std::move(fault));
  return config;
}

std::vector<scheduler::ProfileOptions> MakeProfiles(const SchedulerConfig& config,
                                                    bool names_taints) {
  std::vector<scheduler::ProfileOptions> profiles;
  for (ProfileConfig profile : config.profiles) {
    profile.args.names_taints = names_taints;
    scheduler::ProfileOptions options;
    options.name = profile.name;
    options.percentage_of_nodes_to_score =
        profile.percentage_of_nodes_to_score.value_or(config.percentage_of_nodes_to_score);
    options.make_plugins = [profile = std::move(profile)](scheduler::ClusterState& cluster) {
      return MakePlugins(profile, cluster);
    };
    profiles.push_back(std::move(options));
  }
  return profiles;
}

}  // namespace plimsoll::runner
