#include "cli/explain/pod_explanation.h"
#include "cli/output/diagnosis_json.h"
#include "cli/output/json_fields.h"
#include "codec/json.h"

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

Value ReasonTree(const RefusalReason& reason, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "plugin", reason.plugin);
  SetText(document, tree, "reason", reason.text);
  SetCount(document, tree, "nodes", reason.nodes);
  Value nearest = document.NewObject();
  SetText(document, nearest, "node", reason.nearest.node);
  SetText(document, nearest, "detail", reason.nearest.text);
  document.Set(tree, "nearest", nearest);
  return tree;
}

Value StageTree(const FunnelStage& stage, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "plugin", stage.plugin);
  SetText(document, tree, "title", stage.title);
  SetCount(document, tree, "refused", stage.refused);
  SetCount(document, tree, "left", stage.left);
  return tree;
}

Value FitTree(const NodeScore& fit, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "node", fit.node);
  document.Set(tree, "score", Value::Int(fit.total));
  Value scores = document.NewObject();
  for (const auto& [plugin, score] : fit.plugins) {
    document.Set(scores, document.CopyText(plugin), Value::Int(score));
  }
  document.Set(tree, "scores", scores);
  return tree;
}

Value PreemptionTree(const PreemptionPlan& plan, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "node", plan.node);
  SetTexts(document, tree, "victims", plan.victims);
  SetText(document, tree, "message", plan.message);
  return tree;
}

Value PlacementTree(const Placement& placement, Document& document) {
  Value tree = document.NewObject();
  SetCount(document, tree, "nodes", placement.nodes);
  SetText(document, tree, "gated", placement.gated);
  SetText(document, tree, "error", placement.error);
  SetText(document, tree, "message", placement.message);
  SetList(document, tree, "funnel", placement.funnel,
          [&](const FunnelStage& stage) { return StageTree(stage, document); });
  SetList(document, tree, "reasons", placement.reasons,
          [&](const RefusalReason& reason) { return ReasonTree(reason, document); });
  SetList(document, tree, "fits", placement.fits,
          [&](const NodeScore& fit) { return FitTree(fit, document); });
  if (placement.preemption) {
    document.Set(tree, "preemption", PreemptionTree(*placement.preemption, document));
  }
  return tree;
}

Value BindingTree(const Binding& bound, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "node", bound.node);
  SetText(document, tree, "since", bound.since);
  if (bound.verdicts) document.Set(tree, "again", VerdictsTree(*bound.verdicts, document));
  if (!bound.eviction) return tree;
  Value eviction = document.NewObject();
  if (bound.eviction->at) SetText(document, eviction, "at", FormatTime(*bound.eviction->at));
  document.Set(eviction, "certain", Value::Bool(bound.eviction->is_time_certain));
  SetText(document, eviction, "why", bound.eviction->why);
  document.Set(tree, "eviction", eviction);
  return tree;
}

Value DetailTree(const NodeDetail& detail, Document& document) {
  Value tree = VerdictsTree(detail.verdicts, document);
  document.Set(tree, "match", DiagnosisTree(detail.diagnosis, document));
  return tree;
}

}  // namespace

std::string ToJson(const PodExplanation& explanation) {
  Document document;
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
  document.root() = root;
  return codec::WriteJsonPretty(document.root()) + "\n";
}

}  // namespace plimsoll::cli
