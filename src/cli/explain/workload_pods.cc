#include "cli/explain/workload_pods.h"

#include <algorithm>

#include "controller/job/job_spec.h"
#include "controller/stateful_set/stateful_pod.h"
#include "controller/workload/owned_pods.h"
#include "controller/workload/template_hash.h"
#include "controller/workload/tree.h"

namespace plimsoll::cli {
namespace {

const codec::Value* TemplateOf(const api::Object& workload) {
  return FindAt(workload.tree(), {"spec", "template"});
}

bool IsReplicaSet(const api::Object& object) {
  const auto* const view = object.As<api::Workload>();
  return view != nullptr && view->kind == api::WorkloadKind::ReplicaSet;
}

std::size_t DesiredOfJob(const api::Object& job, const std::vector<ObjectPtr>& pods) {
  const controller::JobSpec spec = controller::ReadJobSpec(job);
  if (spec.is_suspended) return 0;
  const auto succeeded =
      std::max(controller::IntAt(job.tree(), {"status", "succeeded"}),
               static_cast<std::int64_t>(std::ranges::count_if(pods, [](const ObjectPtr& pod) {
                 return pod->As<api::Pod>()->status.phase == "Succeeded";
               })));
  // Without a number of completions, one success is enough: no further pod starts then.
  std::int64_t left = succeeded > 0 ? 0 : spec.parallelism;
  if (spec.completions) left = *spec.completions - succeeded;
  return static_cast<std::size_t>(std::max<std::int64_t>(0, std::min(spec.parallelism, left)));
}

}  // namespace

bool IsControlledBy(const api::Object& object, const api::Object& owner) {
  const api::OwnerReference* const reference = controller::ControllerOf(object.metadata());
  if (reference == nullptr || object.metadata().namespace_ != owner.metadata().namespace_) {
    return false;
  }
  if (!owner.metadata().uid.empty()) return reference->uid == owner.metadata().uid;
  return reference->kind == owner.kind().kind && reference->name == owner.metadata().name;
}

std::vector<ObjectPtr> PodsOfWorkload(const api::Object& workload,
                                      const std::vector<ObjectPtr>& objects) {
  std::vector<const api::Object*> owners = {&workload};
  for (const ObjectPtr& object : objects) {
    if (IsReplicaSet(*object) && IsControlledBy(*object, workload)) owners.push_back(object.get());
  }
  std::vector<ObjectPtr> pods;
  for (const ObjectPtr& object : objects) {
    const bool is_owned = object->As<api::Pod>() != nullptr &&
                          std::ranges::any_of(owners, [&](const api::Object* owner) {
                            return IsControlledBy(*object, *owner);
                          });
    if (is_owned) pods.push_back(object);
  }
  std::ranges::stable_sort(pods, {}, [](const ObjectPtr& pod) { return pod->metadata().name; });
  return pods;
}

std::optional<std::size_t> DesiredPods(const api::Object& workload,
                                       const std::vector<ObjectPtr>& pods) {
  const api::Workload& view = *workload.As<api::Workload>();
  if (view.kind == api::WorkloadKind::DaemonSet) return std::nullopt;
  if (view.kind == api::WorkloadKind::Job) return DesiredOfJob(workload, pods);
  return static_cast<std::size_t>(std::max<std::int64_t>(0, view.replicas.value_or(1)));
}

ObjectPtr CurrentReplicaSet(const api::Object& deployment, const std::vector<ObjectPtr>& objects) {
  for (const ObjectPtr& object : objects) {
    if (IsReplicaSet(*object) && IsControlledBy(*object, deployment) &&
        controller::SameTemplate(TemplateOf(*object), TemplateOf(deployment))) {
      return object;
    }
  }
  return nullptr;
}

}  // namespace plimsoll::cli
