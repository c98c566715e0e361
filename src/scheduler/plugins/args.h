#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/pod.h"
#include "base/time.h"

/// Arguments of plugins from a profile's pluginConfig, with upstream's defaults.
namespace plimsoll::scheduler {

struct ResourceWeight {
  std::string name;
  std::int64_t weight = 1;
};

enum class FitStrategy : std::uint8_t { LeastAllocated, MostAllocated, RequestedToCapacityRatio };

struct ShapePoint {
  std::int64_t utilization = 0;
  std::int64_t score = 0;
};

struct NodeResourcesFitArgs {
  std::vector<std::string> ignored_resources;
  std::vector<std::string> ignored_resource_groups;
  FitStrategy strategy = FitStrategy::LeastAllocated;
  std::vector<ResourceWeight> resources = {{"cpu", 1}, {"memory", 1}};
  std::vector<ShapePoint> shape;  // for RequestedToCapacityRatio
};

struct BalancedAllocationArgs {
  std::vector<ResourceWeight> resources = {{"cpu", 1}, {"memory", 1}};
};

struct NodeAffinityArgs {
  std::shared_ptr<const api::NodeAffinity> added_affinity;  // owns its texts; null: none
};

struct InterPodAffinityArgs {
  std::int32_t hard_pod_affinity_weight = 1;
  bool ignore_preferred_terms_of_existing_pods = false;
};

enum class SpreadDefaulting : std::uint8_t { System, List };

struct PodTopologySpreadArgs {
  SpreadDefaulting defaulting = SpreadDefaulting::System;
  /// For List. Owns its texts. Null: none.
  std::shared_ptr<const std::vector<api::TopologySpreadConstraint>> default_constraints;
};

struct DefaultPreemptionArgs {
  std::int32_t min_candidate_nodes_percentage = 10;
  std::int32_t min_candidate_nodes_absolute = 100;
};

struct VolumeBindingArgs {
  Duration bind_timeout = std::chrono::seconds(600);
  std::vector<ShapePoint> shape = {{0, 10}, {100, 0}};  // prefers nodes with much free storage
};

struct DynamicResourcesArgs {
  /// Time limit of the device allocation on one node; zero: no limit.
  Duration filter_timeout = std::chrono::seconds(10);
};

struct PluginArgs {
  NodeResourcesFitArgs fit;
  BalancedAllocationArgs balanced;
  NodeAffinityArgs node_affinity;
  InterPodAffinityArgs inter_pod_affinity;
  PodTopologySpreadArgs topology_spread;
  DefaultPreemptionArgs preemption;
  VolumeBindingArgs volume_binding;
  DynamicResourcesArgs dynamic_resources;
  /// If true, refusals name the taint (`--taint-details`).
  bool names_taints = true;
};

}  // namespace plimsoll::scheduler
