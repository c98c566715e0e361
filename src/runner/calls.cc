#include "runner/calls.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/overloaded.h"
#include "codec/document.h"
#include "codec/json.h"
#include "runner/metrics_query.h"

namespace plimsoll::runner {
namespace {

using api::ObjectPtr;
using api::StatusOf;
using codec::Value;

bool IsGone(const Status& status) { return !status && status.error().reason == Reason::NotFound; }

client::Resource ResourceOf(const api::ObjectRef& object, std::string_view subresource = {}) {
  return {object.kind(), object.namespace_(), object.name(), subresource};
}

std::string BindingJson(const api::BindPod& bind) {
  codec::Document document;
  Value root = document.NewObject();
  document.Set(root, "apiVersion", Value::String("v1"));
  document.Set(root, "kind", Value::String("Binding"));
  Value metadata = document.NewObject();
  document.Set(metadata, "name", Value::String(bind.pod.name()));
  document.Set(metadata, "namespace", Value::String(bind.pod.namespace_()));
  document.Set(metadata, "uid", Value::String(bind.pod.uid()));
  document.Set(root, "metadata", metadata);
  Value target = document.NewObject();
  document.Set(target, "kind", Value::String("Node"));
  document.Set(target, "name", Value::String(bind.node));
  document.Set(root, "target", target);
  return codec::WriteJson(root);
}

std::string EvictionJson(const api::PostEviction& evict) {
  codec::Document document;
  Value root = document.NewObject();
  document.Set(root, "apiVersion", Value::String("policy/v1"));
  document.Set(root, "kind", Value::String("Eviction"));
  Value metadata = document.NewObject();
  document.Set(metadata, "name", Value::String(evict.pod.name()));
  document.Set(metadata, "namespace", Value::String(evict.pod.namespace_()));
  document.Set(root, "metadata", metadata);
  Value preconditions = document.NewObject();
  document.Set(preconditions, "uid", Value::String(evict.pod.uid()));
  Value options = document.NewObject();
  document.Set(options, "preconditions", preconditions);
  document.Set(root, "deleteOptions", options);
  return codec::WriteJson(root);
}

Value ConditionTree(codec::Document& document, const api::PodCondition& condition) {
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
std::string StatusPatch(const api::UpdatePodStatus& update) {
  codec::Document document;
  Value root = document.NewObject();
  Value metadata = document.NewObject();
  document.Set(metadata, "uid", Value::String(update.pod.uid()));
  document.Set(root, "metadata", metadata);
  Value status = document.NewObject();
  if (update.condition) {
    Value conditions = document.NewArray();
    document.Append(conditions, ConditionTree(document, *update.condition));
    document.Set(status, "conditions", conditions);
  }
  if (const auto& node = update.nominated_node) {
    document.Set(status, "nominatedNodeName", node->empty() ? Value::Null() : Value::String(*node));
  }
  document.Set(root, "status", status);
  return codec::WriteJson(root);
}

api::PodCondition DisruptionTarget(const api::EvictPod& evict) {
  api::PodCondition condition{.type = "DisruptionTarget",
                              .status = true,
                              .reason = evict.reason,
                              .message = evict.message,
                              .transitioned = evict.decided_at,
                              .observed_generation = {}};
  if (const ObjectPtr& pod = evict.pod.object()) {
    condition.observed_generation = pod->metadata().generation;
    const auto old = api::FindCondition(*pod, condition.type);
    if (old && old->status == "True") condition.transitioned.reset();
  }
  return condition;
}

client::PatchType TypeOf(api::PatchForm form) {
  switch (form) {
    case api::PatchForm::Merge:
      return client::PatchType::Merge;
    case api::PatchForm::StrategicMerge:
      return client::PatchType::StrategicMerge;
    case api::PatchForm::Apply:
    case api::PatchForm::ApplyUnforced:
      break;
  }
  return client::PatchType::Apply;
}

/// Sends the requests of one action.
class Sender {
 public:
  Sender(const client::Client& client, const client::Call& call) : client_(client), call_(call) {}

  Status operator()(const api::CreateObject& create) const {
    return StatusOf(client_.Create(ResourceOf(create.object), create.body, {}, call_));
  }
  Status operator()(const api::PatchObject& patch) const {
    client::PatchOptions options;
    options.type = TypeOf(patch.form);
    options.field_manager = patch.field_manager;
    options.force = patch.form == api::PatchForm::Apply;
    return StatusOf(
        client_.Patch(ResourceOf(patch.object, patch.subresource), patch.body, options, call_));
  }
  Status operator()(const api::UpdatePodStatus& update) const {
    return StatusOf(
        client_.Patch(ResourceOf(update.pod, "status"), StatusPatch(update), {}, call_));
  }
  Status operator()(const api::UpdateObject& update) const {
    return StatusOf(
        client_.Update(ResourceOf(update.object, update.subresource), update.body, {}, call_));
  }
  Status operator()(const api::DeleteObject& remove) const {
    client::DeleteOptions options;
    options.grace_period_seconds = remove.grace_period_seconds;
    options.propagation_policy = remove.propagation_policy;
    options.uid = remove.object.uid();
    return Removed(remove.object,
                   StatusOf(client_.Delete(ResourceOf(remove.object), options, call_)));
  }
  Status operator()(const api::DeleteCollection& remove) const {
    return StatusOf(client_.DeleteCollection(ResourceOf(remove.objects), {}, call_));
  }
  Status operator()(const api::EvictPod& evict) const {
    const Status marked = (*this)(api::UpdatePodStatus{
        .pod = evict.pod, .condition = DisruptionTarget(evict), .nominated_node = {}});
    if (IsGone(marked)) return {};
    if (!marked) return marked;
    return (*this)(api::DeleteObject{.object = evict.pod});
  }
  Status operator()(const api::PostEviction& evict) const {
    // A budget may forbid the eviction for hours; the call must not wait for it.
    client::Call call = call_;
    call.retries_max = 0;
    return Removed(evict.pod, StatusOf(client_.Create(ResourceOf(evict.pod, "eviction"),
                                                      EvictionJson(evict), {}, call)));
  }
  Status operator()(const api::BindPod& bind) const {
    return StatusOf(client_.Create(ResourceOf(bind.pod, "binding"), BindingJson(bind), {}, call_));
  }
  Status operator()(const api::WriteInOrder& writes) const {
    for (const api::Write& write : writes.writes) PL_TRY(std::visit(*this, write));
    return {};
  }
  Result<ObjectPtr> operator()(const api::GetObject& get) const {
    const api::Answer<ObjectPtr> found = Get(get.object);
    PL_TRY(StatusOf(found));
    const auto is_changed = [&](Reason reason, std::string_view fact) {
      return Fail(reason, std::string(get.object.kind().kind) + " \"" +
                              std::string(get.object.name()) + "\" " + std::string(fact));
    };
    const api::ObjectMeta& metadata = (*found)->metadata();
    if (!get.object.uid().empty() && metadata.uid != get.object.uid()) {
      return is_changed(Reason::NotFound, "was deleted and created again");
    }
    if (!get.resource_version.empty() && metadata.resource_version != get.resource_version) {
      return is_changed(Reason::Conflict, "has changed");
    }
    return *found;
  }
  Status operator()(const api::QueryMetrics& /*query*/) const { return NoRequest(); }
  Status operator()(const api::RecordEvent& /*event*/) const { return NoRequest(); }
  Status operator()(const api::WriteLog& /*line*/) const { return NoRequest(); }

 private:
  /// Returns the outcome of a removal that the server answered with `status`: the object may be
  /// gone already.
  Status Removed(const api::ObjectRef& object, Status status) const {
    if (status || IsGone(status)) return {};
    if (status.error().reason != Reason::Conflict) return status;
    // A conflict does not say in machine-readable form which precondition failed: read the object.
    const api::Answer<ObjectPtr> present = Get(object);
    const bool is_another = present && (*present)->metadata().uid != object.uid();
    return is_another || IsGone(StatusOf(present)) ? Status() : status;
  }
  static Status NoRequest() { return Fail(Reason::InternalError, "the action has no request"); }
  api::Answer<ObjectPtr> Get(const api::ObjectRef& object) const {
    client::Call call = call_;
    call.wants_object = true;
    return client_.Get(ResourceOf(object), {}, call);
  }

  const client::Client& client_;
  const client::Call& call_;
};

}  // namespace

api::ActionFinished Send(const client::Client& client, const api::Action& action,
                         client::Call call) {
  call.wants_object = false;  // only GetObject reads one
  const Sender send(client, call);
  if (const auto* const query = std::get_if<api::QueryMetrics>(&action)) {
    return SendQuery(client, *query, call);
  }
  return std::visit(Overloaded{[&](const api::GetObject& get) -> api::ActionFinished {
                                 Result<ObjectPtr> found = send(get);
                                 if (!found)
                                   return {get.id, std::unexpected(std::move(found).error())};
                                 return {get.id, {}, *std::move(found)};
                               },
                               [&](const auto& other) -> api::ActionFinished {
                                 api::ActionId id = 0;
                                 if constexpr (requires { other.id; }) id = other.id;
                                 return {id, send(other)};
                               }},
                    action);
}

}  // namespace plimsoll::runner
