#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "api/core/node_selector.h"
#include "api/core/pod.h"
#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "api/feature_gates.h"
#include "match/rules.h"

/// Why a pod accepts a node or not, in a form that commands, events and the dashboard share. It is
/// computed only when someone will read it; the answer itself is that of the plain matcher. Views
/// and pointers in these structs point into the pod and the node that were asked about.
namespace plimsoll::match {

/// How a toleration fares against a taint, in the order of how near it came to covering it.
enum class TolerationFault : std::uint8_t {
  KeyDiffers,
  ExpressionFalse,
  EffectDiffers,
  UnknownOperator,
  GateOff,
  ExpressionError,
  TolerationNotInteger,
  TolerationNotVersion,
  TaintNotInteger,
  TaintNotVersion,
  ValueDiffers,
  NotGreater,
  NotLess,
  NotGreaterVersion,
  NotLessVersion,
  NotEqualVersion,
  TimeOver,  // it covered the taint until its `tolerationSeconds` had passed; `detail` says when
  None,      // it covers the taint
};
std::string_view ToText(TolerationFault fault);

/// Whether the fault is a text that could not be read, as opposed to a value that does not fit.
bool IsParseFault(TolerationFault fault);

/// One toleration held against one taint.
struct TolerationAttempt {
  std::size_t index = 0;  // in the pod's list
  const api::Toleration* toleration = nullptr;
  TolerationFault fault = TolerationFault::None;
  std::optional<api::Feature> gate;  // with GateOff: which one
  std::string detail;                // the parser's or the evaluator's text
  std::string hint;                  // see PrereleaseHint
};
TolerationAttempt Examine(std::size_t index, const api::Toleration& toleration,
                          const api::Taint& taint, const Rules& rules);

struct TaintDiagnosis {
  const api::Taint* taint = nullptr;
  bool blocks = false;  // NoSchedule and NoExecute do; PreferNoSchedule only lowers the score
  /// The first toleration that covers the taint, else the nearest; unset when the pod has none.
  std::optional<TolerationAttempt> nearest;

  bool tolerated() const { return nearest && nearest->fault == TolerationFault::None; }
};

/// How a label or field requirement fares against a node.
enum class RequirementFault : std::uint8_t {
  None,  // it holds
  Absent,
  Present,
  NotListed,
  Listed,
  LabelNotInteger,
  LabelNotVersion,
  NotGreater,
  NotLess,
  NotGreaterVersion,
  NotLessVersion,
  NotEqualVersion,
};
std::string_view ToText(RequirementFault fault);
bool IsParseFault(RequirementFault fault);

struct RequirementDiagnosis {
  bool is_field = false;  // of matchFields
  std::size_t index = 0;  // in its list
  const api::NodeSelectorRequirement* requirement = nullptr;
  std::optional<std::string_view> actual;  // the label's or field's value; unset when absent
  RequirementFault fault = RequirementFault::None;
  std::string detail;  // the parser's text
  std::string hint;    // see PrereleaseHint
};

struct TermDiagnosis {
  std::size_t index = 0;  // in the selector's list
  bool matched = false;
  bool is_empty = false;    // no requirement at all matches nothing
  std::string parse_error;  // the term cannot be used; then `requirements` is empty
  std::vector<RequirementDiagnosis> requirements;
};

/// An entry of the pod's nodeSelector that the node does not have.
struct NodeSelectorMismatch {
  std::string_view key;
  std::string_view wanted;
  std::optional<std::string_view> actual;
};

struct AffinityDiagnosis {
  bool accepted = true;
  std::vector<NodeSelectorMismatch> node_selector;
  bool has_required = false;
  std::vector<TermDiagnosis> terms;  // of the required affinity, all of them
};

struct Diagnosis {
  bool accepted = false;
  std::vector<TaintDiagnosis> taints;  // all of the node's, in their order
  AffinityDiagnosis affinity;
};

Diagnosis Diagnose(const api::PodSpec& pod, const api::Node& node, const Rules& rules);
AffinityDiagnosis DiagnoseSelector(const api::NodeSelector& selector, std::string_view node_name,
                                   const api::StringMap& labels, const Rules& rules);

/// `taint k=800:NoSchedule: toleration 0 (Gt 800): taint 800 is not greater than 800`, or who
/// tolerates it.
std::string ToText(const TaintDiagnosis& taint);
/// `node selector zone=a: the node has zone=b`
std::string ToText(const NodeSelectorMismatch& mismatch);
/// `affinity term 0: gen Gt 5: label 5 is not greater than 5`, the requirements that fail joined.
std::string ToText(const TermDiagnosis& term);
/// `gen Gt 5: label 5 is not greater than 5`
std::string ToText(const RequirementDiagnosis& requirement);

/// Everything that keeps the pod off the node, one line each; empty when it is accepted.
std::vector<std::string> Refusals(const Diagnosis& diagnosis);
/// PreferNoSchedule taints that are not tolerated, one line each.
std::vector<std::string> Advisories(const Diagnosis& diagnosis);
/// What stands in a table: `accepted`, or the first refusal and how many more there are.
std::string Summary(const Diagnosis& diagnosis);

/// `5.10.0-26-amd64 sorts below 5.10.0`, when the stored version has a pre-release part and the
/// operand has none: a kernel's or distribution's suffix reads as a pre-release. Empty otherwise.
std::string PrereleaseHint(std::string_view stored, std::string_view operand);

}  // namespace plimsoll::match
