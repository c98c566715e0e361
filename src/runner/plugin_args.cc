#include "runner/plugin_args.h"

#include <array>
#include <limits>

#include "api/decode/decode.h"
#include "api/schema/conform.h"
#include "base/assert.h"

namespace plimsoll::runner {
namespace {

using scheduler::FitStrategy;
using scheduler::PluginArgs;
using scheduler::ResourceWeight;
using scheduler::ShapePoint;

constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

/// Checks apiVersion and kind, which are optional in the arguments.
void ReadKind(std::string_view plugin, StrictFields& args) {
  std::string version = "kubescheduler.config.k8s.io/v1";
  const std::string expected_version = version;
  const std::string expected = std::string(plugin) + "Args";
  std::string kind = expected;
  args.Read("apiVersion", version);
  args.Read("kind", kind);
  if (version != expected_version) args.Refuse("apiVersion", "must be " + expected_version);
  if (kind != expected) args.Refuse("kind", "must be " + expected);
}

void ReadResources(StrictFields& fields, std::vector<ResourceWeight>& out) {
  if (!fields.Has("resources")) return;
  out.clear();
  fields.List("resources", [&](StrictFields& item) {
    ResourceWeight one;
    item.Read("name", one.name);
    item.Read("weight", one.weight, 1, 100);
    if (one.name.empty()) item.Refuse("name", "must be given");
    out.push_back(std::move(one));
  });
}

void ReadShape(StrictFields& fields, std::vector<ShapePoint>& out) {
  if (!fields.Has("shape")) return;
  out.clear();
  fields.List("shape", [&](StrictFields& item) {
    ShapePoint point;
    item.Read("utilization", point.utilization, 0, 100);
    item.Read("score", point.score, 0, 10);
    if (!out.empty() && point.utilization <= out.back().utilization) {
      item.Refuse("utilization", "must be greater than that of the point before it");
    }
    out.push_back(point);
  });
  if (out.empty()) fields.Refuse("shape", "must have at least one point");
}

void ReadFit(StrictFields& args, PluginArgs& out) {
  args.Read("ignoredResources", out.fit.ignored_resources);
  args.Read("ignoredResourceGroups", out.fit.ignored_resource_groups);
  args.Object("scoringStrategy", [&](StrictFields& strategy) {
    std::string type = "LeastAllocated";
    strategy.Read("type", type);
    if (type == "LeastAllocated") {
      out.fit.strategy = FitStrategy::LeastAllocated;
    } else if (type == "MostAllocated") {
      out.fit.strategy = FitStrategy::MostAllocated;
    } else if (type == "RequestedToCapacityRatio") {
      out.fit.strategy = FitStrategy::RequestedToCapacityRatio;
    } else {
      strategy.Refuse("type", "must be LeastAllocated, MostAllocated or RequestedToCapacityRatio");
    }
    ReadResources(strategy, out.fit.resources);
    strategy.Object("requestedToCapacityRatio",
                    [&](StrictFields& ratio) { ReadShape(ratio, out.fit.shape); });
    if (out.fit.strategy == FitStrategy::RequestedToCapacityRatio && out.fit.shape.empty()) {
      strategy.Refuse("requestedToCapacityRatio", "must have a shape");
    }
  });
}

void ReadBalanced(StrictFields& args, PluginArgs& out) {
  ReadResources(args, out.balanced.resources);
  for (const ResourceWeight& one : out.balanced.resources) {
    if (one.weight != 1) args.Refuse("resources", "every weight must be 1");
  }
}

/// Checks a tree against an API type and decodes a copy of it.
template <class T>
void ReadApiType(StrictFields& fields, std::string_view key, std::string_view type,
                 codec::Document& document, const codec::Value& tree, T& out) {
  const api::TypeDesc* const description = api::FindType(type);
  PL_ASSERT(description != nullptr);
  codec::Value copy = document.Clone(tree);
  std::vector<api::StrictFinding> findings;
  const Status status = api::Conform(document, copy, *description, api::FieldValidation::Strict,
                                     findings, fields.Path(key));
  if (!status) {
    if (!fields.fault()) fields.fault() = status.error();
    return;
  }
  api::Decode(copy, out);
}

/// A value that refers to texts of a document.
template <class T>
struct InDocument {
  std::shared_ptr<const codec::Document> document;
  T value;
};

/// Returns a pointer to the value that owns both.
template <class T>
std::shared_ptr<const T> Share(InDocument<T> value) {
  const auto owner = std::make_shared<const InDocument<T>>(std::move(value));
  return {owner, &owner->value};
}

void ReadNodeAffinity(StrictFields& args, const std::shared_ptr<codec::Document>& document,
                      PluginArgs& out) {
  const codec::Value* const added = args.Find("addedAffinity");
  if (added == nullptr) return;
  InDocument<api::NodeAffinity> affinity{document, {}};
  ReadApiType(args, "addedAffinity", "io.k8s.api.core.v1.NodeAffinity", *document, *added,
              affinity.value);
  out.node_affinity.added_affinity = Share(std::move(affinity));
}

void ReadInterPodAffinity(StrictFields& args, PluginArgs& out) {
  args.Read("hardPodAffinityWeight", out.inter_pod_affinity.hard_pod_affinity_weight, 0, 100);
  args.Read("ignorePreferredTermsOfExistingPods",
            out.inter_pod_affinity.ignore_preferred_terms_of_existing_pods);
}

void ReadSpread(StrictFields& args, const std::shared_ptr<codec::Document>& document,
                PluginArgs& out) {
  std::string type = "System";
  args.Read("defaultingType", type);
  if (type == "List") {
    out.topology_spread.defaulting = scheduler::SpreadDefaulting::List;
  } else if (type != "System") {
    args.Refuse("defaultingType", "must be System or List");
  }
  const codec::Value* const constraints = args.Find("defaultConstraints");
  if (constraints == nullptr) return;
  if (!constraints->is_array()) return args.Refuse("defaultConstraints", "must be a list");
  if (type == "System" && !constraints->items().empty()) {
    return args.Refuse("defaultConstraints", "must be empty unless defaultingType is List");
  }
  InDocument<std::vector<api::TopologySpreadConstraint>> defaults{document, {}};
  for (const codec::Value& item : constraints->items()) {
    api::TopologySpreadConstraint& one = defaults.value.emplace_back();
    ReadApiType(args, "defaultConstraints", "io.k8s.api.core.v1.TopologySpreadConstraint",
                *document, item, one);
    if (one.label_selector) {
      args.Refuse("defaultConstraints", "must not have a labelSelector: it follows from the pod");
    }
  }
  out.topology_spread.default_constraints = Share(std::move(defaults));
}

void ReadPreemption(StrictFields& args, PluginArgs& out) {
  args.Read("minCandidateNodesPercentage", out.preemption.min_candidate_nodes_percentage, 0, 100);
  args.Read("minCandidateNodesAbsolute", out.preemption.min_candidate_nodes_absolute, 0,
            std::numeric_limits<std::int32_t>::max());
  if (out.preemption.min_candidate_nodes_percentage == 0 &&
      out.preemption.min_candidate_nodes_absolute == 0) {
    args.Refuse("minCandidateNodesAbsolute",
                "must not be 0 together with minCandidateNodesPercentage");
  }
}

void ReadVolumeBinding(StrictFields& args, PluginArgs& out) {
  std::int64_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(out.volume_binding.bind_timeout).count();
  args.Read("bindTimeoutSeconds", seconds, 0, kMost / 1'000'000'000);
  out.volume_binding.bind_timeout = std::chrono::seconds(seconds);
  ReadShape(args, out.volume_binding.shape);
}

void ReadDynamicResources(StrictFields& args, PluginArgs& out) {
  args.Read("filterTimeout", out.dynamic_resources.filter_timeout);
  if (out.dynamic_resources.filter_timeout < Duration::zero()) {
    args.Refuse("filterTimeout", "must be zero or positive");
  }
}

}  // namespace

void ReadPluginArgs(std::string_view plugin, StrictFields& args,
                    const std::shared_ptr<codec::Document>& document, PluginArgs& out) {
  ReadKind(plugin, args);
  if (plugin == "NodeResourcesFit") return ReadFit(args, out);
  if (plugin == "NodeResourcesBalancedAllocation") return ReadBalanced(args, out);
  if (plugin == "NodeAffinity") return ReadNodeAffinity(args, document, out);
  if (plugin == "InterPodAffinity") return ReadInterPodAffinity(args, out);
  if (plugin == "PodTopologySpread") return ReadSpread(args, document, out);
  if (plugin == "DefaultPreemption") return ReadPreemption(args, out);
  if (plugin == "VolumeBinding") return ReadVolumeBinding(args, out);
  if (plugin == "DynamicResources") return ReadDynamicResources(args, out);
}

}  // namespace plimsoll::runner
