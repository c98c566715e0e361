#include "cli/explain/placement_text.h"
#include "cli/output/json_fields.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

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

}  // namespace

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

}  // namespace plimsoll::cli
