#include "cli/explain/replica_maker.h"

#include <algorithm>

#include "cli/explain/workload_pods.h"
#include "codec/json.h"
#include "codec/json_text.h"
#include "controller/resource_claim/pod_claims.h"
#include "controller/stateful_set/stateful_pod.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

namespace plimsoll::cli {
namespace {

using codec::JsonText;

api::WorkloadKind KindOf(const api::Object& workload) { return workload.As<api::Workload>()->kind; }

/// Returns the claim that is created for a generic ephemeral volume, without its name.
std::string EphemeralClaimJson(const api::Object& pod, const codec::Value& volume) {
  const codec::Value* const spec = FindAt(volume, {"ephemeral", "volumeClaimTemplate", "spec"});
  const std::string reference = controller::ControllerReferenceJson(pod);
  return JsonText()
      .Text("apiVersion", "v1")
      .Text("kind", "PersistentVolumeClaim")
      .Raw("metadata", JsonText().Raw("ownerReferences", "[" + reference + "]").Done())
      .Raw("spec", spec == nullptr ? "{}" : codec::WriteJson(*spec))
      .Done();
}

/// Returns the pod with the names of its ResourceClaims in its status.
Result<ObjectPtr> WithClaimNames(
    const api::Object& pod, const std::vector<std::pair<std::string, std::string>>& claim_names) {
  const auto document = std::make_shared<codec::Document>();
  document->root() = document->Clone(pod.tree());
  codec::Value statuses = document->NewArray(claim_names.size());
  for (const auto& [entry, name] : claim_names) {
    codec::Value status = document->NewObject();
    document->Set(status, "name", document->NewString(entry));
    document->Set(status, "resourceClaimName", document->NewString(name));
    document->Append(statuses, status);
  }
  codec::Value status = document->NewObject();
  document->Set(status, "resourceClaimStatuses", statuses);
  document->Set(document->root(), "status", status);
  auto decoded =
      api::DecodeObject(document, {.tree = &document->root(), .path = {}, .implied_kind = nullptr},
                        {.field_validation = api::FieldValidation::Ignore});
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  return std::move(decoded->object);
}

}  // namespace

ReplicaMaker::ReplicaMaker(ObjectPtr workload, const std::vector<ObjectPtr>& objects)
    : workload_(std::move(workload)), owner_(workload_), objects_(objects) {
  if (KindOf(*workload_) == api::WorkloadKind::Deployment) {
    const ObjectPtr current = CurrentReplicaSet(*workload_, objects);
    if (current != nullptr) owner_ = current;
  }
  for (const ObjectPtr& object : objects_) {
    if (object->metadata().namespace_ != workload_->metadata().namespace_) continue;
    known_.emplace(object->kind().kind, object->metadata().name);
  }
  next_ = controller::IntAt(workload_->tree(), {"spec", "ordinals", "start"});
}

std::string ReplicaMaker::NewPodName() {
  const std::string_view name = workload_->metadata().name;
  std::string found;
  do {
    found = KindOf(*workload_) == api::WorkloadKind::StatefulSet
                ? controller::StatefulPodName(name, next_)
                : std::string(name) + "-new-" + std::to_string(next_);
    ++next_;
  } while (known_.contains({"Pod", found}));
  return found;
}

Result<ObjectPtr> ReplicaMaker::Decode(const std::string& json, const std::string& name) const {
  const std::shared_ptr<codec::Document> document = PL_TRY(codec::ParseJson(json));
  codec::Value* const metadata = document->root().Find("metadata");
  PL_ASSERT(metadata != nullptr);
  document->Set(*metadata, "name", document->NewString(name));
  document->Set(*metadata, "namespace", document->NewString(workload_->metadata().namespace_));
  document->Set(*metadata, "uid", document->NewString("explain-" + name));
  auto decoded = api::DecodeObject(document, {.field_validation = api::FieldValidation::Ignore});
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  return std::move(decoded->object);
}

Result<Replica> ReplicaMaker::Next() {
  const codec::Value* const pod_template = FindAt(owner_->tree(), {"spec", "template"});
  if (pod_template == nullptr) return Fail(Reason::Invalid, "the workload has no pod template");
  const std::string name = NewPodName();
  const bool is_stateful = KindOf(*workload_) == api::WorkloadKind::StatefulSet;
  const std::string json =
      is_stateful ? controller::StatefulPod(*workload_, *pod_template, "", next_ - 1)
                  : controller::PodFromTemplate(*pod_template, *owner_, {.name = name});
  Replica replica = PL_TRY(WithClaims(PL_TRY(Decode(json, name))));
  if (!is_stateful) return replica;
  for (const controller::StatefulClaim& claim : controller::ClaimsOf(*workload_, next_ - 1)) {
    if (known_.contains({"PersistentVolumeClaim", claim.name})) continue;
    replica.claims.push_back(PL_TRY(Decode(claim.json, claim.name)));
  }
  return replica;
}

Result<Replica> ReplicaMaker::ForNode(std::string_view node,
                                      const controller::DaemonPlacement& placement) {
  const codec::Value* const pod_template = FindAt(owner_->tree(), {"spec", "template"});
  if (pod_template == nullptr) return Fail(Reason::Invalid, "the workload has no pod template");
  const std::string name = NewPodName();
  return WithClaims(PL_TRY(
      Decode(controller::PodFromTemplate(*pod_template, *owner_,
                                         {.name = name, .spec_json = placement.SpecJson(node)}),
             name)));
}

const api::Object* ReplicaMaker::FindClaimTemplate(std::string_view name) const {
  const auto found = std::ranges::find_if(objects_, [&](const ObjectPtr& object) {
    return object->As<api::ResourceClaimTemplate>() != nullptr && object->metadata().name == name &&
           object->metadata().namespace_ == workload_->metadata().namespace_;
  });
  return found == objects_.end() ? nullptr : found->get();
}

Result<Replica> ReplicaMaker::WithClaims(ObjectPtr pod) const {
  Replica replica{std::move(pod), {}};
  PL_TRY(AddDeviceClaims(replica));
  PL_TRY(AddVolumeClaims(replica));
  return replica;
}

Status ReplicaMaker::AddDeviceClaims(Replica& replica) const {
  std::vector<std::pair<std::string, std::string>> names;
  for (const api::PodResourceClaim& entry : replica.pod->As<api::Pod>()->spec.resource_claims) {
    if (!entry.resource_claim_template_name) continue;
    const api::Object* const made_of = FindClaimTemplate(*entry.resource_claim_template_name);
    // The scheduler tells what is missing.
    if (made_of == nullptr) continue;
    const std::string name =
        std::string(replica.pod->metadata().name) + "-" + std::string(entry.name);
    replica.claims.push_back(
        PL_TRY(Decode(controller::ClaimFromTemplate(*replica.pod, entry.name, *made_of), name)));
    names.emplace_back(entry.name, name);
  }
  if (!names.empty()) replica.pod = PL_TRY(WithClaimNames(*replica.pod, names));
  return {};
}

Status ReplicaMaker::AddVolumeClaims(Replica& replica) const {
  for (const api::Volume& volume : replica.pod->As<api::Pod>()->spec.volumes) {
    if (volume.kind != api::VolumeKind::Ephemeral || volume.source == nullptr) continue;
    const std::string name =
        std::string(replica.pod->metadata().name) + "-" + std::string(volume.name);
    replica.claims.push_back(
        PL_TRY(Decode(EphemeralClaimJson(*replica.pod, *volume.source), name)));
  }
  return {};
}

}  // namespace plimsoll::cli
