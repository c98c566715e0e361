#include "cli/explain/node_explanation.h"
#include "cli/output/json_fields.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

Value TaintTree(const NodeTaint& one, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "key", one.taint->key);
  SetText(document, tree, "value", one.taint->value);
  SetText(document, tree, "effect", one.taint->effect);
  SetText(document, tree, "timeAdded", one.taint->time_added);
  SetList(document, tree, "toleratedBy", one.tolerances.groups, [&](const ToleranceGroup& group) {
    Value entry = document.NewObject();
    SetText(document, entry, "toleration", group.toleration);
    SetText(document, entry, "margin", group.margin);
    SetTexts(document, entry, "pods", group.pods);
    return entry;
  });
  SetCount(document, tree, "tolerating", one.tolerances.tolerating);
  SetCount(document, tree, "refusing", one.tolerances.refusing);
  return tree;
}

Value PodTree(const PodOnNode& pod, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "pod", pod.name);
  SetText(document, tree, "phase", pod.phase);
  if (pod.is_terminating) document.Set(tree, "deleting", Value::Bool(true));
  if (!pod.eviction) return tree;
  document.Set(tree, "eviction", EvictionTree(*pod.eviction, document));
  return tree;
}

Value AnswerTree(const NodeAnswer& answer, Document& document) {
  Value tree = document.NewObject();
  SetTexts(document, tree, "accepted", answer.accepted);
  SetList(document, tree, "refused", answer.refused, [&](const RefusedPods& one) {
    Value entry = document.NewObject();
    SetText(document, entry, "plugin", one.plugin);
    SetText(document, entry, "reason", one.reason);
    SetTexts(document, entry, "pods", one.pods);
    return entry;
  });
  return tree;
}

Value ResourceTree(const NodeResource& resource, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "name", resource.name);
  SetText(document, tree, "allocatable", resource.allocatable);
  SetText(document, tree, "requested", resource.requested);
  SetText(document, tree, "free", resource.free);
  return tree;
}

}  // namespace

Value ToTree(const NodeExplanation& one, Document& document) {
  Value root = document.NewObject();
  SetText(document, root, "node", one.node->metadata().name);
  document.Set(root, "unschedulable", Value::Bool(one.is_unschedulable));
  SetList(document, root, "taints", one.taints,
          [&](const NodeTaint& taint) { return TaintTree(taint, document); });
  SetList(document, root, "resources", one.resources,
          [&](const NodeResource& resource) { return ResourceTree(resource, document); });
  SetCount(document, root, "podsMax", one.pods_max);
  SetList(document, root, "pods", one.pods,
          [&](const PodOnNode& pod) { return PodTree(pod, document); });
  document.Set(root, "waiting", AnswerTree(one.waiting, document));
  document.Set(root, "elsewhere", AnswerTree(one.elsewhere, document));
  SetCount(document, root, "unjudged", one.unjudged);
  return root;
}

}  // namespace plimsoll::cli
