#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/core/pod.h"
#include "api/meta/label_selector.h"
#include "api/meta/object_meta.h"

namespace plimsoll::api {

/// Deployment, ReplicaSet, StatefulSet, DaemonSet and Job differ in how they count pods and agree
/// in what placement asks of them: a selector and a template. One view serves them all; `kind`
/// tells which it is.
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
