#include "cli/output/diagnosis_json.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

/// Omits empty texts, like API objects.
void SetText(Document& document, Value& object, std::string_view key, std::string_view text) {
  if (!text.empty()) document.Set(object, key, document.NewString(text));
}

void SetIndex(Document& document, Value& object, std::string_view key, std::size_t index) {
  document.Set(object, key, Value::Int(static_cast<std::int64_t>(index)));
}

Value Texts(const std::vector<std::string>& lines, Document& document) {
  Value list = document.NewArray(lines.size());
  for (const std::string& line : lines) document.Append(list, document.NewString(line));
  return list;
}

Value TaintTree(const match::TaintDiagnosis& taint, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "taint", api::ToText(*taint.taint));
  document.Set(tree, "blocks", Value::Bool(taint.blocks));
  document.Set(tree, "tolerated", Value::Bool(taint.tolerated()));
  if (taint.nearest) {
    SetIndex(document, tree, "toleration", taint.nearest->index);
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
  SetIndex(document, tree, "index", term.index);
  document.Set(tree, "matched", Value::Bool(term.matched));
  SetText(document, tree, "parseError", term.parse_error);
  Value requirements = document.NewArray(term.requirements.size());
  for (const match::RequirementDiagnosis& requirement : term.requirements) {
    document.Append(requirements, RequirementTree(requirement, document));
  }
  document.Set(tree, "requirements", requirements);
  return tree;
}

Value AffinityTree(const match::AffinityDiagnosis& affinity, Document& document) {
  Value tree = document.NewObject();
  document.Set(tree, "accepted", Value::Bool(affinity.accepted));
  Value selector = document.NewArray(affinity.node_selector.size());
  for (const match::NodeSelectorMismatch& mismatch : affinity.node_selector) {
    document.Append(selector, document.NewString(match::ToText(mismatch)));
  }
  document.Set(tree, "nodeSelector", selector);
  Value terms = document.NewArray(affinity.terms.size());
  for (const match::TermDiagnosis& term : affinity.terms) {
    document.Append(terms, TermTree(term, document));
  }
  document.Set(tree, "terms", terms);
  return tree;
}

}  // namespace

Value DiagnosisTree(const match::Diagnosis& diagnosis, Document& document) {
  Value tree = document.NewObject();
  document.Set(tree, "accepted", Value::Bool(diagnosis.accepted));
  document.Set(tree, "refusals", Texts(match::Refusals(diagnosis), document));
  document.Set(tree, "advisories", Texts(match::Advisories(diagnosis), document));
  Value taints = document.NewArray(diagnosis.taints.size());
  for (const match::TaintDiagnosis& taint : diagnosis.taints) {
    document.Append(taints, TaintTree(taint, document));
  }
  document.Set(tree, "taints", taints);
  document.Set(tree, "affinity", AffinityTree(diagnosis.affinity, document));
  return tree;
}

}  // namespace plimsoll::cli
