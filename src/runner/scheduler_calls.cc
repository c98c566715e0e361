#include "runner/scheduler_calls.h"

#include "codec/document.h"
#include "codec/json.h"
#include "runner/call_outcome.h"

namespace plimsoll::runner {
namespace {

using codec::Value;

std::string BindingJson(const api::Object& pod, std::string_view node) {
  const api::ObjectMeta& of = pod.metadata();
  codec::Document document;
  Value root = document.NewObject();
  document.Set(root, "apiVersion", Value::String("v1"));
  document.Set(root, "kind", Value::String("Binding"));
  Value metadata = document.NewObject();
  document.Set(metadata, "name", Value::String(of.name));
  document.Set(metadata, "namespace", Value::String(of.namespace_));
  document.Set(metadata, "uid", Value::String(of.uid));
  document.Set(root, "metadata", metadata);
  Value target = document.NewObject();
  document.Set(target, "kind", Value::String("Node"));
  document.Set(target, "name", Value::String(node));
  document.Set(root, "target", target);
  return codec::WriteJson(root);
}

Value ConditionTree(codec::Document& document, const scheduler::PodCondition& condition) {
  Value tree = document.NewObject();
  document.Set(tree, "type", Value::String(condition.type));
  document.Set(tree, "status", Value::String(condition.status ? "True" : "False"));
  document.Set(tree, "reason", Value::String(condition.reason));
  document.Set(tree, "message", Value::String(condition.message));
  document.Set(tree, "lastProbeTime", Value::Null());
  if (condition.transitioned) {
    document.Set(tree, "lastTransitionTime",
                 document.NewString(FormatTime(*condition.transitioned)));
  }
  if (condition.observed_generation) {
    document.Set(tree, "observedGeneration", Value::Int(*condition.observed_generation));
  }
  return tree;
}

/// Returns a strategic merge patch, which merges conditions by type. With the uid, it fails for
/// another pod of the same name.
std::string StatusPatch(const api::Object& pod, const scheduler::PodCondition* condition,
                        const std::string* nominated_node) {
  codec::Document document;
  Value root = document.NewObject();
  Value metadata = document.NewObject();
  document.Set(metadata, "uid", Value::String(pod.metadata().uid));
  document.Set(root, "metadata", metadata);
  Value status = document.NewObject();
  if (condition != nullptr) {
    Value conditions = document.NewArray();
    document.Append(conditions, ConditionTree(document, *condition));
    document.Set(status, "conditions", conditions);
  }
  if (nominated_node != nullptr) {
    document.Set(status, "nominatedNodeName",
                 nominated_node->empty() ? Value::Null() : Value::String(*nominated_node));
  }
  document.Set(root, "status", status);
  return codec::WriteJson(root);
}

Status Send(const client::Client& client, const scheduler::ObjectWrite& write,
            const client::Call& call) {
  const client::Resource resource = ResourceOf(*write.object, write.subresource);
  client::PatchOptions options;
  switch (write.kind) {
    case scheduler::WriteKind::MergePatch:
      options.type = client::PatchType::Merge;
      return StatusOf(client.Patch(resource, write.body, options, call));
    case scheduler::WriteKind::StrategicPatch:
      return StatusOf(client.Patch(resource, write.body, options, call));
    case scheduler::WriteKind::Create:
      return StatusOf(client.Create(resource, write.body, {}, call));
    case scheduler::WriteKind::Delete:
      return DeleteThis(client, *write.object, {}, call);
  }
  return {};
}

}  // namespace

Status Send(const client::Client& client, const scheduler::Bind& bind, const client::Call& call) {
  return StatusOf(
      client.Create(ResourceOf(*bind.pod, "binding"), BindingJson(*bind.pod, bind.node), {}, call));
}

Status Send(const client::Client& client, const scheduler::PatchPodStatus& patch,
            const client::Call& call) {
  const std::string json = StatusPatch(*patch.pod, patch.condition ? &*patch.condition : nullptr,
                                       patch.nominated_node ? &*patch.nominated_node : nullptr);
  return StatusOf(client.Patch(ResourceOf(*patch.pod, "status"), json, {}, call));
}

Status Send(const client::Client& client, const scheduler::EvictVictim& evict,
            const client::Call& call) {
  const std::string json = StatusPatch(*evict.pod, &evict.condition, nullptr);
  const Status marked = StatusOf(client.Patch(ResourceOf(*evict.pod, "status"), json, {}, call));
  if (IsGone(marked)) return {};
  if (!marked) return marked;
  return DeleteThis(client, *evict.pod, {}, call);
}

Status Send(const client::Client& client, const scheduler::WriteObjects& write,
            const client::Call& call) {
  for (const scheduler::ObjectWrite& one : write.writes) PL_TRY(Send(client, one, call));
  return {};
}

}  // namespace plimsoll::runner
