// Texts of a diagnosis. Each contains the two values that were compared.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "match/diagnosis.h"

namespace plimsoll::match {
namespace {

std::string_view NameOf(api::Feature feature) {
  const auto all = api::FeatureGates::All();
  return std::ranges::find(all, feature, &api::FeatureSpec::feature)->name;
}

/// Quotes a value that is empty or contains blanks or quotes.
std::string Shown(std::string_view value) {
  const bool plain = !value.empty() && value.find_first_of(" \t\n\"") == std::string_view::npos;
  return plain ? std::string(value) : fmt::format("\"{}\"", value);
}

/// `detail` is set if the text is an integer that does not fit into 64 bits.
std::string NoInteger(std::string_view thing, std::string_view text, std::string_view detail) {
  return detail.empty() ? fmt::format("{} {} is not an integer", thing, text)
                        : fmt::format("{} {} is out of range for a 64-bit integer", thing, text);
}

std::string WithDetail(std::string text, std::string_view detail) {
  return detail.empty() ? text : fmt::format("{}: {}", text, detail);
}

std::string WithHint(std::string text, std::string_view hint) {
  return hint.empty() ? text : fmt::format("{} ({})", text, hint);
}

/// Returns what the toleration requires of a value: `Gt 800`, `Exists`, `expression …`.
std::string Demand(const api::Toleration& toleration) {
  if (!toleration.expression.empty()) return fmt::format("expression {}", toleration.expression);
  const std::string_view op = toleration.op.empty() ? "Equal" : toleration.op;
  if (op == "Exists") return std::string(op);
  return fmt::format("{} {}", op, Shown(toleration.value));
}

std::string Demand(const api::NodeSelectorRequirement& requirement) {
  std::string text = fmt::format("{} {}", requirement.key, requirement.op);
  if (requirement.values.empty()) return text;
  if (requirement.op != "In" && requirement.op != "NotIn") {
    return fmt::format("{} {}", text, Shown(requirement.values.front()));
  }
  text += " (";
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    if (i > 0) text += ", ";
    text += Shown(requirement.values[i]);
  }
  return text + ")";
}

std::string FaultText(const TolerationAttempt& attempt, const api::Taint& taint) {
  const api::Toleration& toleration = *attempt.toleration;
  const std::string value = Shown(taint.value);
  const std::string wanted = Shown(toleration.value);
  switch (attempt.fault) {
    case TolerationFault::KeyDiffers:
      return fmt::format("taint key {} is not {}", taint.key, toleration.key);
    case TolerationFault::ExpressionFalse:
      return "expression is false for the taint";
    case TolerationFault::EffectDiffers:
      return fmt::format("taint effect {} is not {}", Shown(taint.effect), toleration.effect);
    case TolerationFault::UnknownOperator:
      return fmt::format("operator {} is not known", Shown(toleration.op));
    case TolerationFault::GateOff:
      return fmt::format("feature gate {} is off", NameOf(*attempt.gate));
    case TolerationFault::ExpressionError:
      return WithDetail("expression failed", attempt.detail);
    case TolerationFault::TolerationNotInteger:
      return NoInteger("toleration value", wanted, attempt.detail);
    case TolerationFault::TolerationNotVersion:
      return WithDetail(fmt::format("toleration value {} is not a version", wanted),
                        attempt.detail);
    case TolerationFault::TaintNotInteger:
      return NoInteger("taint value", value, attempt.detail);
    case TolerationFault::TaintNotVersion:
      return WithDetail(fmt::format("taint value {} is not a version", value), attempt.detail);
    case TolerationFault::ValueDiffers:
      return fmt::format("taint value {} is not {}", value, wanted);
    case TolerationFault::NotGreater:
    case TolerationFault::NotGreaterVersion:
      return fmt::format("taint {} is not greater than {}", value, wanted);
    case TolerationFault::NotLess:
    case TolerationFault::NotLessVersion:
      return fmt::format("taint {} is not less than {}", value, wanted);
    case TolerationFault::NotEqualVersion:
      return fmt::format("taint {} is not the same version as {}", value, wanted);
    case TolerationFault::TimeOver:
      return fmt::format("its tolerationSeconds of {} ended at {}",
                         toleration.toleration_seconds.value_or(0), attempt.detail);
    case TolerationFault::None:
      return "tolerated";
  }
  return {};
}

std::string FaultText(const RequirementDiagnosis& diagnosis) {
  const std::string_view thing = diagnosis.is_field ? "field" : "label";
  const std::string actual = Shown(diagnosis.actual.value_or(std::string_view()));
  const auto operand = [&] { return Shown(diagnosis.requirement->values.front()); };
  switch (diagnosis.fault) {
    case RequirementFault::None:
      return "holds";
    case RequirementFault::Absent:
      return fmt::format("the node has no such {}", thing);
    case RequirementFault::Present:
      return fmt::format("{} is present with {}", thing, actual);
    case RequirementFault::NotListed:
      return fmt::format("{} {} is not listed", thing, actual);
    case RequirementFault::Listed:
      return fmt::format("{} {} is listed", thing, actual);
    case RequirementFault::LabelNotInteger:
      return NoInteger(thing, actual, diagnosis.detail);
    case RequirementFault::LabelNotVersion:
      return WithDetail(fmt::format("{} {} is not a version", thing, actual), diagnosis.detail);
    case RequirementFault::NotGreater:
    case RequirementFault::NotGreaterVersion:
      return fmt::format("{} {} is not greater than {}", thing, actual, operand());
    case RequirementFault::NotLess:
    case RequirementFault::NotLessVersion:
      return fmt::format("{} {} is not less than {}", thing, actual, operand());
    case RequirementFault::NotEqualVersion:
      return fmt::format("{} {} is not the same version as {}", thing, actual, operand());
  }
  return {};
}

std::vector<std::string> UntoleratedLines(const Diagnosis& diagnosis, bool blocking) {
  std::vector<std::string> lines;
  for (const TaintDiagnosis& taint : diagnosis.taints) {
    if (taint.blocks == blocking && !taint.tolerated()) lines.push_back(ToText(taint));
  }
  return lines;
}

}  // namespace

std::string_view ToText(TolerationFault fault) {
  static constexpr std::array<std::string_view, 18> kNames{"KeyDiffers",
                                                           "ExpressionFalse",
                                                           "EffectDiffers",
                                                           "UnknownOperator",
                                                           "GateOff",
                                                           "ExpressionError",
                                                           "TolerationNotInteger",
                                                           "TolerationNotVersion",
                                                           "TaintNotInteger",
                                                           "TaintNotVersion",
                                                           "ValueDiffers",
                                                           "NotGreater",
                                                           "NotLess",
                                                           "NotGreaterVersion",
                                                           "NotLessVersion",
                                                           "NotEqualVersion",
                                                           "TimeOver",
                                                           "None"};
  return kNames[static_cast<std::size_t>(fault)];
}

std::string_view ToText(RequirementFault fault) {
  static constexpr std::array<std::string_view, 12> kNames{"None",
                                                           "Absent",
                                                           "Present",
                                                           "NotListed",
                                                           "Listed",
                                                           "LabelNotInteger",
                                                           "LabelNotVersion",
                                                           "NotGreater",
                                                           "NotLess",
                                                           "NotGreaterVersion",
                                                           "NotLessVersion",
                                                           "NotEqualVersion"};
  return kNames[static_cast<std::size_t>(fault)];
}

bool IsParseFault(TolerationFault fault) {
  using enum TolerationFault;
  return fault == TolerationNotInteger || fault == TolerationNotVersion ||
         fault == TaintNotInteger || fault == TaintNotVersion || fault == ExpressionError;
}

bool IsParseFault(RequirementFault fault) {
  using enum RequirementFault;
  return fault == LabelNotInteger || fault == LabelNotVersion;
}

std::string ToText(const TaintDiagnosis& taint) {
  const std::string head = fmt::format("taint {}", api::ToText(*taint.taint));
  if (!taint.nearest) return head + ": the pod has no tolerations";
  const TolerationAttempt& nearest = *taint.nearest;
  if (nearest.fault == TolerationFault::None) {
    return WithHint(fmt::format("{}: tolerated by toleration {} ({})", head, nearest.index,
                                Demand(*nearest.toleration)),
                    nearest.hint);
  }
  if (nearest.fault == TolerationFault::KeyDiffers) {
    return fmt::format("{}: no toleration for key {}", head, taint.taint->key);
  }
  return WithHint(fmt::format("{}: toleration {} ({}): {}", head, nearest.index,
                              Demand(*nearest.toleration), FaultText(nearest, *taint.taint)),
                  nearest.hint);
}

std::string ToText(const NodeSelectorMismatch& mismatch) {
  const std::string head = fmt::format("node selector {}={}", mismatch.key, mismatch.wanted);
  if (!mismatch.actual) return head + ": the node has no such label";
  return fmt::format("{}: the node has {}={}", head, mismatch.key, *mismatch.actual);
}

std::string ToText(const RequirementDiagnosis& requirement) {
  return WithHint(fmt::format("{}: {}", Demand(*requirement.requirement), FaultText(requirement)),
                  requirement.hint);
}

std::string ToText(const TermDiagnosis& term) {
  const std::string head = fmt::format("affinity term {}", term.index);
  if (term.is_empty) return head + ": an empty term matches nothing";
  if (!term.parse_error.empty()) return fmt::format("{}: {}", head, term.parse_error);
  if (term.matched) return head + ": matches";
  std::string failures;
  for (const RequirementDiagnosis& requirement : term.requirements) {
    if (requirement.fault == RequirementFault::None) continue;
    if (!failures.empty()) failures += "; ";
    failures += ToText(requirement);
  }
  return fmt::format("{}: {}", head, failures);
}

std::vector<std::string> Refusals(const Diagnosis& diagnosis) {
  std::vector<std::string> lines = UntoleratedLines(diagnosis, true);
  for (const auto& mismatch : diagnosis.affinity.node_selector) lines.push_back(ToText(mismatch));
  const auto& terms = diagnosis.affinity.terms;
  if (!diagnosis.affinity.has_required || std::ranges::any_of(terms, &TermDiagnosis::matched)) {
    return lines;
  }
  if (terms.empty()) lines.push_back("affinity: an empty list of terms matches nothing");
  for (const TermDiagnosis& term : terms) lines.push_back(ToText(term));
  return lines;
}

std::vector<std::string> Advisories(const Diagnosis& diagnosis) {
  return UntoleratedLines(diagnosis, false);
}

std::string Summary(const Diagnosis& diagnosis) {
  const std::vector<std::string> lines = Refusals(diagnosis);
  if (lines.empty()) return "accepted";
  if (lines.size() == 1) return lines.front();
  return fmt::format("{} (and {} more)", lines.front(), lines.size() - 1);
}

}  // namespace plimsoll::match
