#include "runner/controller_calls.h"

#include <string>

#include "api/core/pod_condition.h"
#include "codec/document.h"
#include "codec/json.h"
#include "runner/call_outcome.h"

namespace plimsoll::runner {
namespace {

using codec::Value;

/// Returns a strategic merge patch, which merges conditions by type. With the uid, it fails for
/// another pod of the same name.
std::string DisruptionPatch(const controller::EvictPod& evict, Instant now) {
  codec::Document document;
  Value condition = document.NewObject();
  document.Set(condition, "type", Value::String("DisruptionTarget"));
  document.Set(condition, "status", Value::String("True"));
  document.Set(condition, "reason", Value::String(evict.reason));
  document.Set(condition, "message", Value::String(evict.message));
  const auto old = api::FindCondition(*evict.pod, "DisruptionTarget");
  if (!old || old->status != "True") {
    document.Set(condition, "lastTransitionTime", document.NewString(FormatTime(now)));
  }
  if (const auto generation = evict.pod->metadata().generation) {
    document.Set(condition, "observedGeneration", Value::Int(*generation));
  }
  Value conditions = document.NewArray();
  document.Append(conditions, condition);
  Value status = document.NewObject();
  document.Set(status, "conditions", conditions);
  Value metadata = document.NewObject();
  document.Set(metadata, "uid", Value::String(evict.pod->metadata().uid));
  Value root = document.NewObject();
  document.Set(root, "metadata", metadata);
  document.Set(root, "status", status);
  return codec::WriteJson(root);
}

client::PatchType TypeOf(controller::PatchForm form) {
  switch (form) {
    case controller::PatchForm::Merge:
      return client::PatchType::Merge;
    case controller::PatchForm::StrategicMerge:
      return client::PatchType::StrategicMerge;
    case controller::PatchForm::Apply:
      break;
  }
  return client::PatchType::Apply;
}

}  // namespace

Status Send(const client::Client& client, const controller::CreateObject& create,
            const client::Call& call) {
  return StatusOf(client.Create({*create.kind, create.namespace_}, create.json, {}, call));
}

Status Send(const client::Client& client, const controller::PatchObject& patch,
            const client::Call& call) {
  client::PatchOptions options;
  options.type = TypeOf(patch.form);
  options.field_manager = patch.field_manager;
  options.force = patch.form == controller::PatchForm::Apply;
  return StatusOf(
      client.Patch(ResourceOf(*patch.object, patch.subresource), patch.patch, options, call));
}

Status Send(const client::Client& client, const controller::ReplaceObject& replace,
            const client::Call& call) {
  return StatusOf(
      client.Update(ResourceOf(*replace.object, replace.subresource), replace.json, {}, call));
}

Status Send(const client::Client& client, const controller::DeleteCollection& remove,
            const client::Call& call) {
  return StatusOf(client.DeleteCollection({*remove.kind, remove.namespace_}, {}, call));
}

Status Send(const client::Client& client, const controller::DeleteObject& remove,
            const client::Call& call) {
  client::DeleteOptions options;
  options.grace_period_seconds = remove.grace_period_seconds;
  options.propagation_policy = remove.propagation_policy;
  return DeleteThis(client, *remove.object, options, call);
}

Status Send(const client::Client& client, const controller::ConfirmObject& confirm,
            const client::Call& call) {
  const auto found = client.Get({*confirm.kind, confirm.namespace_, confirm.name}, {}, call);
  if (!found) return StatusOf(found);
  const auto of_that_name = [&](std::string_view fact) {
    return std::string(confirm.kind->kind) + " \"" + confirm.name + "\" " + std::string(fact);
  };
  const api::ObjectMeta& metadata = (*found)->metadata();
  if (metadata.uid != confirm.uid)
    return Fail(Reason::NotFound, of_that_name("is another one now"));
  if (!confirm.resource_version.empty() && metadata.resource_version != confirm.resource_version) {
    return Fail(Reason::Conflict, of_that_name("has changed"));
  }
  return {};
}

Status Send(const client::Client& client, const controller::EvictPod& evict,
            const client::Call& call) {
  const Status marked = StatusOf(client.Patch(
      ResourceOf(*evict.pod, "status"), DisruptionPatch(evict, client.clock().Now()), {}, call));
  if (IsGone(marked)) return {};
  if (!marked) return marked;
  return DeleteThis(client, *evict.pod, {}, call);
}

}  // namespace plimsoll::runner
