#include "cli/output/diagnosis_json.h"

#include "cli/output/json_fields.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

Value TaintTree(const match::TaintDiagnosis& taint, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "taint", api::ToText(*taint.taint));
  document.Set(tree, "blocks", Value::Bool(taint.blocks));
  document.Set(tree, "tolerated", Value::Bool(taint.tolerated()));
  if (taint.nearest) {
    SetCount(document, tree, "toleration", taint.nearest->index);
    if (!taint.tolerated()) SetText(document, tree, "fault", match::ToText(taint.nearest->fault));
    SetText(document, tree, "detail", taint.nearest->detail);
    SetText(document, tree, "hint", taint.nearest->hint);
  }
  SetText(document, tree, "message", match::ToText(taint));
  return tree;
}

Value RequirementTree(const match::RequirementDiagnosis& requirement, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "key", requirement.requirement->key);
  SetText(document, tree, "operator", requirement.requirement->op);
  if (requirement.actual) document.Set(tree, "actual", document.NewString(*requirement.actual));
  const bool holds = requirement.fault == match::RequirementFault::None;
  document.Set(tree, "holds", Value::Bool(holds));
  if (!holds) {
    SetText(document, tree, "fault", match::ToText(requirement.fault));
    SetText(document, tree, "message", match::ToText(requirement));
  }
  SetText(document, tree, "detail", requirement.detail);
  SetText(document, tree, "hint", requirement.hint);
  return tree;
}

Value TermTree(const match::TermDiagnosis& term, Document& document) {
  Value tree = document.NewObject();
  SetCount(document, tree, "index", term.index);
  document.Set(tree, "matched", Value::Bool(term.matched));
  SetText(document, tree, "parseError", term.parse_error);
  SetList(document, tree, "requirements", term.requirements,
          [&](const auto& requirement) { return RequirementTree(requirement, document); });
  return tree;
}

Value AffinityTree(const match::AffinityDiagnosis& affinity, Document& document) {
  Value tree = document.NewObject();
  document.Set(tree, "accepted", Value::Bool(affinity.accepted));
  SetList(document, tree, "nodeSelector", affinity.node_selector,
          [&](const auto& mismatch) { return document.NewString(match::ToText(mismatch)); });
  SetList(document, tree, "terms", affinity.terms,
          [&](const auto& term) { return TermTree(term, document); });
  return tree;
}

}  // namespace

Value DiagnosisTree(const match::Diagnosis& diagnosis, Document& document) {
  Value tree = document.NewObject();
  document.Set(tree, "accepted", Value::Bool(diagnosis.accepted));
  SetTexts(document, tree, "refusals", match::Refusals(diagnosis));
  SetTexts(document, tree, "advisories", match::Advisories(diagnosis));
  SetList(document, tree, "taints", diagnosis.taints,
          [&](const auto& taint) { return TaintTree(taint, document); });
  document.Set(tree, "affinity", AffinityTree(diagnosis.affinity, document));
  return tree;
}

}  // namespace plimsoll::cli
