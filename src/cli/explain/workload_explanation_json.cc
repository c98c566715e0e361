#include "cli/explain/placement_text.h"
#include "cli/explain/workload_explanation.h"
#include "cli/output/json_fields.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

template <class Counts>
Value NodesTree(const Counts& counts, Document& document) {
  Value list = document.NewArray(counts.size());
  for (const auto& [node, count] : counts) {
    Value entry = document.NewObject();
    SetText(document, entry, "node", node);
    SetCount(document, entry, "pods", count);
    document.Append(list, entry);
  }
  return list;
}

Value WaitingTree(const WaitingPods& waiting, Document& document) {
  Value tree = document.NewObject();
  SetTexts(document, tree, "pods", waiting.pods);
  SetText(document, tree, "owner", waiting.owner);
  SetText(document, tree, "scheduler", waiting.scheduler);
  document.Set(tree, "placement", PlacementTree(waiting.placement, document));
  return tree;
}

Value RoomTree(const WorkloadExplanation& one, Document& document) {
  Value tree = document.NewObject();
  SetCount(document, tree, "missing", one.missing);
  SetCount(document, tree, "placed", one.missing_room.placed);
  document.Set(tree, "nodes", NodesTree(one.missing_room.nodes, document));
  SetCount(document, tree, "more", one.more);
  document.Set(tree, "moreLimited", Value::Bool(one.is_more_limited));
  SetText(document, tree, "refusal", one.missing_room.refusal);
  return tree;
}

Value RefusalTree(const DaemonRefusal& refusal, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "reason", refusal.reason);
  SetTexts(document, tree, "nodes", refusal.nodes);
  return tree;
}

}  // namespace

Value ToTree(const WorkloadExplanation& one, Document& document) {
  Value root = document.NewObject();
  SetText(document, root, "kind", one.workload->kind().kind);
  SetText(document, root, "namespace", one.workload->metadata().namespace_);
  SetText(document, root, "name", one.workload->metadata().name);
  if (one.is_suspended) document.Set(root, "suspended", Value::Bool(true));
  SetCount(document, root, "desired", one.desired);
  SetCount(document, root, "bound", one.bound);
  SetCount(document, root, "terminating", one.terminating);
  SetCount(document, root, "succeeded", one.succeeded);
  SetCount(document, root, "failed", one.failed);
  document.Set(root, "running", NodesTree(one.running, document));
  document.Set(root, "starting", NodesTree(one.starting, document));
  SetList(document, root, "waiting", one.waiting,
          [&](const WaitingPods& waiting) { return WaitingTree(waiting, document); });
  SetCount(document, root, "waitingUnexplained", one.waiting_unexplained);
  if (one.pod_template) {
    document.Set(root, "template", PlacementTree(*one.pod_template, document));
  }
  document.Set(root, "room", RoomTree(one, document));
  if (!one.daemon_refusals.empty()) {
    SetList(document, root, "refusals", one.daemon_refusals,
            [&](const DaemonRefusal& refusal) { return RefusalTree(refusal, document); });
  }
  return root;
}

}  // namespace plimsoll::cli
