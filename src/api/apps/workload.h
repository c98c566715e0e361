#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/core/pod.h"
#include "api/meta/label_selector.h"
#include "api/meta/object_meta.h"

namespace plimsoll::api {

/// Kind of a Workload. The kinds differ in how they count pods, but
/// placement reads only the selector and the template of each. So
/// one struct serves all of them.
enum class WorkloadKind : std::uint8_t { Deployment, ReplicaSet, StatefulSet, DaemonSet, Job };

struct Workload {
  WorkloadKind kind = WorkloadKind::Deployment;
  ObjectMeta metadata;
  std::optional<std::int64_t> replicas;  // parallelism of a Job
  std::optional<LabelSelector> selector;
  PodTemplateSpec pod_template;
  const codec::Value* spec_source = nullptr;
};

}  // namespace plimsoll::api
