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

/// Diagnosis of why a pod accepts or rejects a node, for commands, events and the dashboard. It is
/// computed only on demand; its answer is that of the plain matcher. Views and pointers in these
/// structs point into the pod and the node.
namespace plimsoll::match {

/// Result of one toleration against one taint, ordered by how close it came to tolerating it.
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
  TimeOver,  // it tolerated the taint until `tolerationSeconds` had passed; `detail` says when
  None,      // it tolerates the taint
};
std::string_view ToText(TolerationFault fault);

/// Returns true if the fault is an unparsable text, as opposed to a value that does not match.
bool IsParseFault(TolerationFault fault);

/// One toleration compared with one taint.
struct TolerationAttempt {
  std::size_t index = 0;  // in the pod's list
  const api::Toleration* toleration = nullptr;
  TolerationFault fault = TolerationFault::None;
  std::optional<api::Feature> gate;  // with GateOff: the gate
  std::string detail;                // error text of the parser or evaluator
  std::string hint;                  // `5.10.0-26-amd64 sorts below 5.10.0`; may be empty
};
TolerationAttempt Examine(std::size_t index, const api::Toleration& toleration,
                          const api::Taint& taint, const Rules& rules);

struct TaintDiagnosis {
  const api::Taint* taint = nullptr;
  bool blocks = false;  // NoSchedule, NoExecute; PreferNoSchedule only lowers the score
  /// First toleration that tolerates the taint, else the closest. Unset if the pod has none.
  std::optional<TolerationAttempt> nearest;

  bool tolerated() const { return nearest && nearest->fault == TolerationFault::None; }
};

/// Result of a label or field requirement on a node.
enum class RequirementFault : std::uint8_t {
  None,  // the requirement is met
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
  bool is_field = false;  // from matchFields
  std::size_t index = 0;  // in its list
  const api::NodeSelectorRequirement* requirement = nullptr;
  std::optional<std::string_view> actual;  // value of the label or field; unset if absent
  RequirementFault fault = RequirementFault::None;
  std::string detail;  // error text of the parser
  std::string hint;    // `5.10.0-26-amd64 sorts below 5.10.0`; may be empty
};

struct TermDiagnosis {
  std::size_t index = 0;  // in the selector's list
  bool matched = false;
  bool is_empty = false;    // a term without requirements matches nothing
  std::string parse_error;  // the term is unusable; then `requirements` is empty
  std::vector<RequirementDiagnosis> requirements;
};

/// An entry of the pod's nodeSelector that the node's labels do not match.
struct NodeSelectorMismatch {
  std::string_view key;
  std::string_view wanted;
  std::optional<std::string_view> actual;
};

struct AffinityDiagnosis {
  bool accepted = true;
  std::vector<NodeSelectorMismatch> node_selector;
  bool has_required = false;
  std::vector<TermDiagnosis> terms;  // all terms of the required affinity
};

struct Diagnosis {
  bool accepted = false;
  std::vector<TaintDiagnosis> taints;  // all taints of the node, in order
  AffinityDiagnosis affinity;
};

Diagnosis Diagnose(const api::PodSpec& pod, const api::Node& node, const Rules& rules);

/// Returns `taint k=800:NoSchedule: toleration 0 (Gt 800): taint 800 is not greater than 800`, or
/// names the toleration that tolerates it.
std::string ToText(const TaintDiagnosis& taint);
/// Returns `node selector zone=a: the node has zone=b`.
std::string ToText(const NodeSelectorMismatch& mismatch);
/// Returns `affinity term 0: gen Gt 5: label 5 is not greater than 5`, with all failed ones.
std::string ToText(const TermDiagnosis& term);
/// Returns `gen Gt 5: label 5 is not greater than 5`.
std::string ToText(const RequirementDiagnosis& requirement);

/// Returns the reasons that keep the pod off the node, one per line; none if it is accepted.
std::vector<std::string> Refusals(const Diagnosis& diagnosis);
/// Returns the PreferNoSchedule taints that are not tolerated, one per line.
std::vector<std::string> Advisories(const Diagnosis& diagnosis);
/// Returns the text for a table: `accepted`, or the first refusal and the number of others.
std::string Summary(const Diagnosis& diagnosis);

}  // namespace plimsoll::match
