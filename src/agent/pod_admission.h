#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agent/records.h"
#include "base/interner.h"
#include "match/expression_memo.h"
#include "match/rules.h"

namespace plimsoll::agent {

/// Decides whether a node admits a pod, and which pods a critical pod preempts. It changes no
/// record.
class PodAdmission {
 public:
  struct Decision {
    enum class Kind : std::uint8_t {
      Admit,
      Reject,    // `refusal` is set
      ReadNode,  // the node's object may be an old version: read it, then call Decide
      Preempt,   // stop the `victims`, and call Decide again when pods have ended
      Defer,     // the expressions exceed the cost limit of one check: call again later
    };

    Kind kind = Kind::Admit;
    std::optional<Refusal> refusal = {};
    std::vector<PodRecord*> victims = {};
  };

  explicit PodAdmission(match::Rules rules);

  /// First check, with the node as last seen. The answer is not Preempt.
  Decision Check(const PodRecord& pod);
  /// Final check, with the given version of the node. The answer is not ReadNode.
  Decision Decide(const PodRecord& pod, const api::Node& node);

  const match::Rules& rules() const { return rules_; }
  /// Names of resources in Amounts and Shortages.
  Interner& resources() { return resources_; }

 private:
  std::optional<Refusal> Refuse(const PodRecord& pod, const api::Node& node);
  Decision Preempt(const PodRecord& pod, Refusal refusal);

  const match::Rules rules_;
  match::ExpressionMemo expressions_;  // of tolerations
  Interner resources_;
};

}  // namespace plimsoll::agent
