#include "runner/scheduler_config.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "codec/strict_fields.h"
#include "codec/yaml.h"
#include "runner/plugin_args.h"
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

/// Returns all extension points of the plugin.
scheduler::ExtensionPoints PointsOf(std::string_view name) {
  scheduler::ClusterState cluster{match::Rules{}};
  return scheduler::PointsOf(*scheduler::MakePlugin(name, cluster, {}));
}

/// Enabled plugins must have one of `points`. If it is unset, `*` is allowed as well.
void ReadChanges(StrictFields& fields, std::string_view key,
                 std::optional<scheduler::ExtensionPoints> points, std::vector<PluginChange>& out) {
  fields.List(key, [&](StrictFields& item) {
    PluginChange change;
    item.Read("name", change.name);
    item.Read("weight", change.weight, 0, kMost);
    const bool is_known = IsPlugin(change.name) || (!points && change.name == "*");
    if (!is_known) {
      item.Refuse("name", "there is no plugin \"" + change.name + "\"");
    } else if (points && (PointsOf(change.name) & *points) == 0) {
      item.Refuse("name", "\"" + change.name + "\" has no such extension point");
    }
    if (std::ranges::find(out, change.name, &PluginChange::name) != out.end()) {
      item.Refuse("name", "\"" + change.name + "\" is listed twice");
    }
    out.push_back(std::move(change));
  });
}

PluginSet ReadSet(StrictFields& fields, scheduler::ExtensionPoints points) {
  PluginSet set;
  ReadChanges(fields, "enabled", points, set.enabled);
  ReadChanges(fields, "disabled", std::nullopt, set.disabled);
  return set;
}

bool Names(const std::vector<PluginChange>& changes, std::string_view name) {
  return std::ranges::find(changes, name, &PluginChange::name) != changes.end();
}

/// Returns the plugins of multiPoint. First the default plugins except disabled ones, with the
/// profile's weight if it gives one. Then the plugins that the profile adds.
std::vector<PluginChange> MergeMultiPoint(const PluginSet& set) {
  std::vector<PluginChange> merged;
  for (const scheduler::DefaultPlugin& one : scheduler::DefaultPlugins()) {
    if (Names(set.disabled, "*") || Names(set.disabled, one.name)) continue;
    const auto given = std::ranges::find(set.enabled, one.name, &PluginChange::name);
    merged.push_back(given != set.enabled.end() ? *given
                                                : PluginChange{std::string(one.name), one.weight});
  }
  for (const PluginChange& change : set.enabled) {
    if (!Names(merged, change.name)) merged.push_back(change);
  }
  return merged;
}

/// Returns the plugins of one point in order. First come those of multiPoint that the point names
/// again, in the point's order. Then the others of multiPoint, then those only of the point.
template <class TakesPart>
std::vector<PluginChange> Expand(const std::vector<PluginChange>& multi_point, const PluginSet& set,
                                 const TakesPart& takes_part) {
  std::vector<PluginChange> again;
  std::vector<PluginChange> others;
  std::vector<PluginChange> added;
  const auto is_expanded = [&](std::string_view name) {
    return !Names(set.disabled, "*") && !Names(set.disabled, name) && takes_part(name);
  };
  for (const PluginChange& one : set.enabled) {
    (Names(multi_point, one.name) && is_expanded(one.name) ? again : added).push_back(one);
  }
  for (const PluginChange& one : multi_point) {
    if (is_expanded(one.name) && !Names(set.enabled, one.name)) others.push_back(one);
  }
  again.insert(again.end(), others.begin(), others.end());
  again.insert(again.end(), added.begin(), added.end());
  return again;
}

std::vector<scheduler::EnabledPlugin> MakePlugins(const ProfileConfig& profile,
                                                  scheduler::ClusterState& cluster) {
  const std::vector<PluginChange> multi_point = MergeMultiPoint(profile.multi_point);
  std::vector<scheduler::EnabledPlugin> plugins;
  const auto find = [&](std::string_view name) -> scheduler::EnabledPlugin& {
    const auto found = std::ranges::find(
        plugins, name, [](const scheduler::EnabledPlugin& one) { return one.plugin->name(); });
    if (found != plugins.end()) return *found;
    return plugins.emplace_back(scheduler::EnabledPlugin{
        .plugin = scheduler::MakePlugin(name, cluster, profile.args), .points = 0, .weight = 1});
  };
  for (const PluginChange& one : multi_point) find(one.name);
  for (std::size_t i = 0; i < kPoints.size(); ++i) {
    const ExtensionPoint point = kPoints[i].point;
    const auto given =
        std::ranges::find(profile.points, point, [](const auto& one) { return one.first; });
    const auto takes_part = [&](std::string_view name) {
      return (scheduler::PointsOf(*find(name).plugin) & point) != 0;
    };
    std::uint16_t rank = 0;
    for (const PluginChange& one :
         Expand(multi_point, given == profile.points.end() ? PluginSet{} : given->second,
                takes_part)) {
      scheduler::EnabledPlugin& plugin = find(one.name);
      plugin.points = static_cast<scheduler::ExtensionPoints>(plugin.points | point);
      plugin.ranks[i] = rank++;
      // A plugin enabled without a weight has weight 1, not its default weight.
      if (point == scheduler::kScore) plugin.weight = std::max<std::int64_t>(one.weight, 1);
    }
  }
  std::erase_if(plugins, [](const scheduler::EnabledPlugin& one) { return one.points == 0; });
  return plugins;
}

/// Checks upstream's requirements for a whole profile.
void CheckPlugins(StrictFields& fields, const ProfileConfig& profile) {
  if (fields.fault()) return;
  scheduler::ClusterState cluster{match::Rules{}};
  const std::vector<scheduler::EnabledPlugin> plugins = MakePlugins(profile, cluster);
  const auto count = [&](ExtensionPoint point) {
    return std::ranges::count_if(
        plugins, [&](const scheduler::EnabledPlugin& one) { return (one.points & point) != 0; });
  };
  if (count(scheduler::kQueueSort) != 1) {
    fields.Refuse("plugins.queueSort", "one plugin must sort the queue");
  }
  if (count(scheduler::kBind) == 0) {
    fields.Refuse("plugins.bind", "at least one plugin must bind");
  }
}

ProfileConfig ReadProfile(StrictFields& fields, const std::shared_ptr<codec::Document>& document) {
  ProfileConfig profile;
  fields.Read("schedulerName", profile.name);
  if (fields.Has("percentageOfNodesToScore")) {
    std::int32_t percentage = 0;
    fields.Read("percentageOfNodesToScore", percentage, 0, 100);
    profile.percentage_of_nodes_to_score = percentage;
  }
  fields.Object("plugins", [&](StrictFields& plugins) {
    constexpr scheduler::ExtensionPoints kEverywhere = 0xffff;
    plugins.Object("multiPoint",
                   [&](StrictFields& set) { profile.multi_point = ReadSet(set, kEverywhere); });
    for (const auto& [name, point] : kPoints) {
      plugins.Object(name, [&](StrictFields& set) {
        profile.points.emplace_back(point, ReadSet(set, point));
      });
    }
  });
  fields.List("pluginConfig", [&](StrictFields& item) {
    std::string name;
    item.Read("name", name);
    if (!IsPlugin(name)) item.Refuse("name", "there is no plugin \"" + name + "\"");
    item.Object("args",
                [&](StrictFields& args) { ReadPluginArgs(name, args, document, profile.args); });
  });
  CheckPlugins(fields, profile);
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
  // Content types and rates of upstream's client. Ours uses JSON, and its connections limit it.
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
    if (earlier > 1)
      fields.Refuse("schedulerName", "must be unique: another profile has this name");
    if (out.profiles.back().name.empty()) fields.Refuse("schedulerName", "must not be empty");
  });
  if (out.profiles.empty()) root.Refuse("profiles", "must have at least one profile");
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
