#include <limits>

#include "api/defaults/hooks.h"

namespace plimsoll::api::defaults {
namespace {

namespace apps = fields::apps_v1;
namespace batch = fields::batch_v1;

/// Creates the parameters of a rolling update; their own defaults are set later.
template <class F>
void DefaultRollingUpdate(Document& document, Value& strategy) {
  if (TextOf(strategy, F::kType) != "RollingUpdate") return;
  PutIfAbsent<F>(document, strategy, F::kRollingUpdate, document.NewObject());
}

}  // namespace

void DefaultDeploymentStrategy(Document& document, Value& strategy) {
  DefaultRollingUpdate<apps::DeploymentStrategy>(document, strategy);
}

void DefaultStatefulSetUpdateStrategy(Document& document, Value& strategy) {
  DefaultRollingUpdate<apps::StatefulSetUpdateStrategy>(document, strategy);
}

void DefaultDaemonSetUpdateStrategy(Document& document, Value& strategy) {
  DefaultRollingUpdate<apps::DaemonSetUpdateStrategy>(document, strategy);
}

/// The labels of a job default to those of its template.
void DefaultJob(Document& document, Value& job) {
  using Meta = fields::meta_v1::ObjectMeta;
  Value* spec = FindMember(job, batch::Job::kSpec);
  Value* pods = spec == nullptr ? nullptr : FindMember(*spec, batch::JobSpec::kTemplate);
  Value* pods_meta =
      pods == nullptr ? nullptr : FindMember(*pods, fields::core_v1::PodTemplateSpec::kMetadata);
  const Value* labels = pods_meta == nullptr ? nullptr : FindMember(*pods_meta, Meta::kLabels);
  if (labels == nullptr || labels->members().empty()) return;
  const Value copy = document.Clone(*labels);
  PutIfAbsent<batch::Job>(document, job, batch::Job::kMetadata, document.NewObject());
  Value& metadata = *FindMember(job, batch::Job::kMetadata);
  const Value* own = FindMember(metadata, Meta::kLabels);
  if (own == nullptr || own->members().empty()) {
    Put<Meta>(document, metadata, Meta::kLabels, copy);
  }
}

void DefaultJobSpec(Document& document, Value& spec) {
  using F = batch::JobSpec;
  if (FindMember(spec, F::kParallelism) == nullptr) {
    // Without parallelism, both default to 1. With it, completions may stay unset.
    PutIfAbsent<F>(document, spec, F::kCompletions, Value::Int(1));
    Put<F>(document, spec, F::kParallelism, Value::Int(1));
  }
  const bool per_index = FindMember(spec, F::kBackoffLimitPerIndex) != nullptr;
  PutIfAbsent<F>(document, spec, F::kBackoffLimit,
                 Value::Int(per_index ? std::numeric_limits<std::int32_t>::max() : 6));
  const bool has_policy = FindMember(spec, F::kPodFailurePolicy) != nullptr;
  PutIfAbsent<F>(document, spec, F::kPodReplacementPolicy,
                 Value::String(has_policy ? "Failed" : "TerminatingOrFailed"));
}

}  // namespace plimsoll::api::defaults
