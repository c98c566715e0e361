#include "match/diagnosis.h"

#include <algorithm>

#include "api/field_error.h"
#include "base/decimal.h"
#include "base/go_text.h"
#include "base/semver.h"
#include "match/node_selector.h"
#include "match/toleration.h"

namespace plimsoll::match {
namespace {

using api::NodeSelectorOperator;
using api::TolerationOperator;

std::string HintFor(const Semver& stored, std::string_view text, const Semver& operand) {
  if (stored.prerelease.empty() || !operand.prerelease.empty()) return {};
  return std::string(text) + " sorts below " + stored.Finalized();
}

/// Returns an error if the text is an integer that exceeds 64 bits; "" if it is no integer.
std::string RangeFault(std::string_view text) {
  if (ParseDecimal(text).fault != DecimalFault::OutOfRange) return {};
  return GoParseInt(text).error().message;
}

void ExamineNumber(TolerationOperator op, const api::Taint& taint, TolerationAttempt& attempt) {
  const auto threshold = DecimalValue(attempt.toleration->value);
  const auto value = DecimalValue(taint.value);
  if (!threshold) {
    attempt.fault = TolerationFault::TolerationNotInteger;
    attempt.detail = RangeFault(attempt.toleration->value);
  } else if (!value) {
    attempt.fault = TolerationFault::TaintNotInteger;
    attempt.detail = RangeFault(taint.value);
  } else if (op == TolerationOperator::Gt && *value <= *threshold) {
    attempt.fault = TolerationFault::NotGreater;
  } else if (op == TolerationOperator::Lt && *value >= *threshold) {
    attempt.fault = TolerationFault::NotLess;
  }
}

void ExamineVersion(TolerationOperator op, const api::Taint& taint, TolerationAttempt& attempt) {
  const Result<Semver> threshold = ParseSemverTolerant(attempt.toleration->value);
  if (!threshold) {
    attempt.fault = TolerationFault::TolerationNotVersion;
    attempt.detail = threshold.error().message;
    return;
  }
  const Result<Semver> value = ParseSemverTolerant(taint.value);
  if (!value) {
    attempt.fault = TolerationFault::TaintNotVersion;
    attempt.detail = value.error().message;
    return;
  }
  attempt.hint = HintFor(*value, taint.value, *threshold);
  const std::weak_ordering order = Compare(*value, *threshold);
  if (op == TolerationOperator::SemverGt && order <= 0) {
    attempt.fault = TolerationFault::NotGreaterVersion;
  } else if (op == TolerationOperator::SemverLt && order >= 0) {
    attempt.fault = TolerationFault::NotLessVersion;
  } else if (op == TolerationOperator::SemverEq && order != 0) {
    attempt.fault = TolerationFault::NotEqualVersion;
  }
}

void ExamineExpression(const api::Taint& taint, const Rules& rules, TolerationAttempt& attempt) {
  if (rules.evaluator == nullptr) {
    attempt.fault = TolerationFault::GateOff;
    attempt.gate = api::Feature::TaintTolerationCEL;
    return;
  }
  const Result<bool> holds = rules.evaluator->Evaluate(attempt.toleration->expression, taint);
  if (!holds) {
    attempt.fault = TolerationFault::ExpressionError;
    attempt.detail = holds.error().Text();
  } else if (!*holds) {
    attempt.fault = TolerationFault::ExpressionFalse;
  }
}

void ExamineValue(TolerationOperator op, const api::Taint& taint, const Rules& rules,
                  TolerationAttempt& attempt) {
  if (api::IsNumeric(op)) {
    if (rules.comparison) return ExamineNumber(op, taint, attempt);
    attempt.fault = TolerationFault::GateOff;
    attempt.gate = api::Feature::TaintTolerationComparisonOperators;
  } else if (api::IsSemver(op)) {
    if (rules.semver) return ExamineVersion(op, taint, attempt);
    attempt.fault = TolerationFault::GateOff;
    attempt.gate = api::Feature::TaintTolerationNodeAffinitySemverComparisonOperators;
  } else if (op == TolerationOperator::Equal && attempt.toleration->value != taint.value) {
    attempt.fault = TolerationFault::ValueDiffers;
  }
}

TaintDiagnosis DiagnoseTaint(const api::Taint& taint, const api::PodSpec& pod, const Rules& rules) {
  TaintDiagnosis diagnosis{&taint, BlocksScheduling(taint), std::nullopt};
  for (std::size_t i = 0; i < pod.tolerations.size() && !diagnosis.tolerated(); ++i) {
    TolerationAttempt attempt = Examine(i, pod.tolerations[i], taint, rules);
    if (!diagnosis.nearest || attempt.fault > diagnosis.nearest->fault) {
      diagnosis.nearest = std::move(attempt);
    }
  }
  return diagnosis;
}

void ExamineLabelNumber(NodeSelectorOperator op, RequirementDiagnosis& diagnosis) {
  const auto operand = LabelInteger(diagnosis.requirement->values.front());
  const auto value = LabelInteger(*diagnosis.actual);
  if (!value) {
    diagnosis.fault = RequirementFault::LabelNotInteger;
    diagnosis.detail = RangeFault(*diagnosis.actual);
  } else if (op == NodeSelectorOperator::Gt && *value <= *operand) {
    diagnosis.fault = RequirementFault::NotGreater;
  } else if (op == NodeSelectorOperator::Lt && *value >= *operand) {
    diagnosis.fault = RequirementFault::NotLess;
  }
}

void ExamineLabelVersion(NodeSelectorOperator op, RequirementDiagnosis& diagnosis) {
  const Result<Semver> operand = ParseSemverTolerant(diagnosis.requirement->values.front());
  const Result<Semver> value = ParseSemverTolerant(*diagnosis.actual);
  if (!value) {
    diagnosis.fault = RequirementFault::LabelNotVersion;
    diagnosis.detail = value.error().message;
    return;
  }
  diagnosis.hint = HintFor(*value, *diagnosis.actual, *operand);
  const std::weak_ordering order = Compare(*value, *operand);
  if (op == NodeSelectorOperator::SemverGt && order <= 0) {
    diagnosis.fault = RequirementFault::NotGreaterVersion;
  } else if (op == NodeSelectorOperator::SemverLt && order >= 0) {
    diagnosis.fault = RequirementFault::NotLessVersion;
  } else if (op == NodeSelectorOperator::SemverEq && order != 0) {
    diagnosis.fault = RequirementFault::NotEqualVersion;
  }
}

RequirementFault ListFault(NodeSelectorOperator op, const RequirementDiagnosis& diagnosis) {
  const auto& values = diagnosis.requirement->values;
  const bool listed =
      diagnosis.actual && std::ranges::find(values, *diagnosis.actual) != values.end();
  if (op == NodeSelectorOperator::NotIn) {
    return listed ? RequirementFault::Listed : RequirementFault::None;
  }
  if (listed) return RequirementFault::None;
  return diagnosis.actual ? RequirementFault::NotListed : RequirementFault::Absent;
}

RequirementDiagnosis DiagnoseLabel(std::size_t index,
                                   const api::NodeSelectorRequirement& requirement,
                                   const api::StringMap& labels) {
  RequirementDiagnosis diagnosis{.index = index, .requirement = &requirement};
  diagnosis.actual = labels.Find(requirement.key);
  const NodeSelectorOperator op = *api::ParseNodeSelectorOperator(requirement.op);
  if (op == NodeSelectorOperator::In || op == NodeSelectorOperator::NotIn) {
    diagnosis.fault = ListFault(op, diagnosis);
  } else if (op == NodeSelectorOperator::DoesNotExist) {
    if (diagnosis.actual) diagnosis.fault = RequirementFault::Present;
  } else if (!diagnosis.actual) {
    diagnosis.fault = RequirementFault::Absent;
  } else if (op == NodeSelectorOperator::Gt || op == NodeSelectorOperator::Lt) {
    ExamineLabelNumber(op, diagnosis);
  } else if (op != NodeSelectorOperator::Exists) {
    ExamineLabelVersion(op, diagnosis);
  }
  return diagnosis;
}

RequirementDiagnosis DiagnoseField(std::size_t index,
                                   const api::NodeSelectorRequirement& requirement,
                                   std::string_view node_name) {
  RequirementDiagnosis diagnosis{.is_field = true, .index = index, .requirement = &requirement};
  if (requirement.key == "metadata.name") diagnosis.actual = node_name;
  if (node_name.empty() || FieldHolds(requirement, node_name)) return diagnosis;
  if (requirement.op == "NotIn") {
    diagnosis.fault = RequirementFault::Listed;
  } else {
    diagnosis.fault = diagnosis.actual ? RequirementFault::NotListed : RequirementFault::Absent;
  }
  return diagnosis;
}

TermDiagnosis DiagnoseTerm(std::size_t index, const api::NodeSelectorTerm& term,
                           const NodeView& node, const Rules& rules) {
  TermDiagnosis diagnosis{.index = index, .is_empty = IsEmpty(term)};
  if (diagnosis.is_empty) return diagnosis;
  api::FieldErrors errors;
  const api::FieldPath at("nodeSelectorTerms");
  CheckTerm(term, at[index], rules, errors);
  if (!errors.empty()) {
    diagnosis.parse_error = errors.Text();
    return diagnosis;
  }
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    diagnosis.requirements.push_back(DiagnoseLabel(i, term.match_expressions[i], node.labels));
  }
  for (std::size_t i = 0; i < term.match_fields.size(); ++i) {
    diagnosis.requirements.push_back(DiagnoseField(i, term.match_fields[i], node.name));
  }
  diagnosis.matched = std::ranges::all_of(
      diagnosis.requirements, [](const auto& one) { return one.fault == RequirementFault::None; });
  return diagnosis;
}

AffinityDiagnosis DiagnoseSelector(const api::NodeSelector& selector, std::string_view node_name,
                                   const api::StringMap& labels, const Rules& rules) {
  AffinityDiagnosis diagnosis{.accepted = false, .has_required = true};
  const NodeView node(node_name, labels);
  for (std::size_t i = 0; i < selector.terms.size(); ++i) {
    diagnosis.terms.push_back(DiagnoseTerm(i, selector.terms[i], node, rules));
    diagnosis.accepted |= diagnosis.terms.back().matched;
  }
  return diagnosis;
}

}  // namespace

TolerationAttempt Examine(std::size_t index, const api::Toleration& toleration,
                          const api::Taint& taint, const Rules& rules) {
  TolerationAttempt attempt{.index = index, .toleration = &toleration};
  const auto op = api::ParseTolerationOperator(toleration.op);
  // The matcher compares the effect first. Here the key comes first: a toleration with the right
  // key and the wrong effect is closer than one with another key.
  if (!toleration.expression.empty()) {
    ExamineExpression(taint, rules, attempt);
  } else if (!toleration.key.empty() && toleration.key != taint.key) {
    attempt.fault = TolerationFault::KeyDiffers;
  } else if (!toleration.effect.empty() && toleration.effect != taint.effect) {
    attempt.fault = TolerationFault::EffectDiffers;
  } else if (!op) {
    attempt.fault = TolerationFault::UnknownOperator;
  } else {
    ExamineValue(*op, taint, rules, attempt);
  }
  return attempt;
}

Diagnosis Diagnose(const api::PodSpec& pod, const api::Node& node, const Rules& rules) {
  Diagnosis diagnosis;
  for (const api::Taint& taint : node.spec.taints) {
    diagnosis.taints.push_back(DiagnoseTaint(taint, pod, rules));
  }
  if (pod.affinity && pod.affinity->node_affinity && pod.affinity->node_affinity->required) {
    diagnosis.affinity = DiagnoseSelector(*pod.affinity->node_affinity->required,
                                          node.metadata.name, node.metadata.labels, rules);
  }
  for (const auto& [key, value] : pod.node_selector) {
    const auto actual = node.metadata.labels.Find(key);
    if (actual != value) diagnosis.affinity.node_selector.push_back({key, value, actual});
  }
  diagnosis.affinity.accepted &= diagnosis.affinity.node_selector.empty();
  diagnosis.accepted =
      diagnosis.affinity.accepted && std::ranges::none_of(diagnosis.taints, [](const auto& one) {
        return one.blocks && !one.tolerated();
      });
  return diagnosis;
}

}  // namespace plimsoll::match
