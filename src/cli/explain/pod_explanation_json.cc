#include "cli/explain/placement_text.h"
#include "cli/explain/pod_explanation.h"
#include "cli/output/diagnosis_json.h"
#include "cli/output/json_fields.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

Value VerdictTree(const scheduler::Verdict& verdict, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "plugin", verdict.plugin);
  SetText(document, tree, "code", scheduler::ToText(verdict.code));
  SetTexts(document, tree, "reasons", verdict.reasons);
  return tree;
}

Value VerdictsTree(const NodeVerdicts& verdicts, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "node", verdicts.node);
  document.Set(tree, "accepted", Value::Bool(verdicts.accepts()));
  if (verdicts.is_excluded) document.Set(tree, "leftOut", Value::Bool(true));
  SetList(document, tree, "refusals", verdicts.refusals,
          [&](const scheduler::Verdict& verdict) { return VerdictTree(verdict, document); });
  return tree;
}

Value BindingTree(const Binding& bound, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "node", bound.node);
  SetText(document, tree, "since", bound.since);
  if (bound.verdicts) document.Set(tree, "again", VerdictsTree(*bound.verdicts, document));
  if (bound.eviction) {
    document.Set(tree, "eviction", EvictionTree(*bound.eviction, document));
  }
  return tree;
}

Value DetailTree(const NodeDetail& detail, Document& document) {
  Value tree = VerdictsTree(detail.verdicts, document);
  document.Set(tree, "match", DiagnosisTree(detail.diagnosis, document));
  return tree;
}

}  // namespace

Value ToTree(const PodExplanation& explanation, Document& document) {
  Value root = document.NewObject();
  const api::Pod& pod = *explanation.pod->As<api::Pod>();
  SetText(document, root, "namespace", pod.metadata.namespace_);
  SetText(document, root, "pod", pod.metadata.name);
  SetText(document, root, "phase", pod.status.phase);
  SetText(document, root, "profile", explanation.profile);
  if (explanation.is_terminating) document.Set(root, "deleting", Value::Bool(true));
  if (!explanation.is_terminal) {
    if (explanation.bound) document.Set(root, "bound", BindingTree(*explanation.bound, document));
    document.Set(root, "placement", PlacementTree(explanation.placement, document));
    if (!explanation.nodes.empty()) {
      SetList(document, root, "nodes", explanation.nodes,
              [&](const NodeDetail& detail) { return DetailTree(detail, document); });
    }
  }
  return root;
}

}  // namespace plimsoll::cli
