#include "cli/explain/claim_explanation.h"
#include "cli/output/json_fields.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

Value DeviceTree(const AllocatedDevice& device, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "request", device.request);
  SetText(document, tree, "device", device.device);
  document.Set(tree, "published", Value::Bool(device.is_published));
  SetList(document, tree, "taints", device.taints, [&](const AllocatedTaint& taint) {
    Value entry = document.NewObject();
    SetText(document, entry, "taint", taint.taint);
    SetText(document, entry, "source", taint.source);
    SetText(document, entry, "toleration", taint.toleration);
    SetText(document, entry, "margin", taint.margin);
    return entry;
  });
  return tree;
}

Value RequestTree(const RequestExplanation& request, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "request", request.request);
  document.Set(tree, "wanted", Value::Int(request.wanted));
  SetTexts(document, tree, "usable", request.usable);
  SetList(document, tree, "refused", request.refusals, [&](const DeviceRefusals& one) {
    Value entry = document.NewObject();
    SetText(document, entry, "fault", one.fault);
    SetText(document, entry, "detail", one.detail);
    SetTexts(document, entry, "devices", one.devices);
    if (!one.users.empty()) SetTexts(document, entry, "users", one.users);
    return entry;
  });
  return tree;
}

}  // namespace

Value ToTree(const ClaimExplanation& one, Document& document) {
  Value root = document.NewObject();
  SetText(document, root, "namespace", one.claim->metadata().namespace_);
  SetText(document, root, "claim", one.claim->metadata().name);
  document.Set(root, "allocated", Value::Bool(one.is_allocated));
  SetTexts(document, root, "reservedFor", one.reserved_for);
  if (one.is_allocated) {
    SetList(document, root, "devices", one.devices,
            [&](const AllocatedDevice& device) { return DeviceTree(device, document); });
  } else {
    SetCount(document, root, "nodes", one.nodes);
    SetTexts(document, root, "possible", one.possible);
    SetText(document, root, "error", one.error);
    SetList(document, root, "requests", one.requests,
            [&](const RequestExplanation& request) { return RequestTree(request, document); });
  }
  return root;
}

}  // namespace plimsoll::cli
