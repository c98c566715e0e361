#include "cli/explain/device_explanation.h"
#include "cli/output/json_fields.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

Value FactsTree(const DeviceFactTexts& facts, Document& document) {
  Value list = document.NewArray(facts.size());
  for (const auto& [name, value] : facts) {
    Value entry = document.NewObject();
    SetText(document, entry, "name", name);
    SetText(document, entry, "value", value);
    document.Append(list, entry);
  }
  return list;
}

Value TaintTree(const ExplainedDeviceTaint& one, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "key", one.taint->key);
  SetText(document, tree, "value", one.taint->value);
  SetText(document, tree, "effect", one.taint->effect);
  SetText(document, tree, "timeAdded", one.taint->time_added);
  SetText(document, tree, "description", one.taint->description);
  SetText(document, tree, "source", one.source);
  SetList(document, tree, "toleratedBy", one.tolerances, [&](const ClaimTolerance& tolerance) {
    Value entry = document.NewObject();
    SetText(document, entry, "toleration", tolerance.toleration);
    SetText(document, entry, "margin", tolerance.margin);
    SetTexts(document, entry, "claims", tolerance.claims);
    return entry;
  });
  SetCount(document, tree, "refusing", one.refusing);
  return tree;
}

Value UseTree(const ExplainedDeviceUse& use, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "claim", use.claim);
  SetText(document, tree, "request", use.request);
  SetTexts(document, tree, "pods", use.pods);
  SetTexts(document, tree, "untolerated", use.untolerated);
  return tree;
}

}  // namespace

Value ToTree(const DeviceExplanation& one, Document& document) {
  Value root = document.NewObject();
  SetText(document, root, "device", one.device);
  document.Set(root, "published", Value::Bool(one.is_published));
  SetText(document, root, "node", one.node);
  document.Set(root, "attributes", FactsTree(one.attributes, document));
  document.Set(root, "capacity", FactsTree(one.capacity, document));
  SetList(document, root, "taints", one.taints,
          [&](const ExplainedDeviceTaint& taint) { return TaintTree(taint, document); });
  SetList(document, root, "uses", one.uses,
          [&](const ExplainedDeviceUse& use) { return UseTree(use, document); });
  return root;
}

}  // namespace plimsoll::cli
