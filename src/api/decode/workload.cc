#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

namespace {

/// Decodes the fields of all five kinds. Deployments, ReplicaSets and StatefulSets have `replicas`;
/// Jobs have `parallelism`; DaemonSets have neither.
template <class F>
void DecodeSpec(const codec::Value& spec, Workload& out) {
  out.spec_source = &spec;
  for (const auto& [key, value, field] : spec.members()) {
    if (field == F::kSelector) Decode(value, out.selector);
    if (field == F::kTemplate) Decode(value, out.pod_template);
    if constexpr (requires { F::kReplicas; }) {
      if (field == F::kReplicas) Decode(value, out.replicas);
    }
    if constexpr (requires { F::kParallelism; }) {
      if (field == F::kParallelism) Decode(value, out.replicas);
    }
  }
}

template <class Root, class Spec>
void DecodeWorkload(const codec::Value& tree, Workload& out) {
  for (const auto& [key, value, field] : tree.members()) {
    if (field == Root::kMetadata) Decode(value, out.metadata);
    if (field == Root::kSpec) DecodeSpec<Spec>(value, out);
  }
}

}  // namespace

void Decode(const codec::Value& tree, Workload& out) {
  namespace apps = fields::apps_v1;
  switch (out.kind) {
    case WorkloadKind::Deployment:
      return DecodeWorkload<apps::Deployment, apps::DeploymentSpec>(tree, out);
    case WorkloadKind::ReplicaSet:
      return DecodeWorkload<apps::ReplicaSet, apps::ReplicaSetSpec>(tree, out);
    case WorkloadKind::StatefulSet:
      return DecodeWorkload<apps::StatefulSet, apps::StatefulSetSpec>(tree, out);
    case WorkloadKind::DaemonSet:
      return DecodeWorkload<apps::DaemonSet, apps::DaemonSetSpec>(tree, out);
    case WorkloadKind::Job:
      return DecodeWorkload<fields::batch_v1::Job, fields::batch_v1::JobSpec>(tree, out);
  }
}

}  // namespace plimsoll::api
