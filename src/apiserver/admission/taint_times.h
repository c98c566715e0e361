#pragma once

#include "apiserver/admission/admission.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

/// Notes when a NoExecute taint was put on a node, so that a pod's time to leave is counted from
/// there however often controllers restart (decision D21). A taint whose value or effect changes is
/// a new one.
class TaintTimes final : public Admission {
 public:
  explicit TaintTimes(const Clock& clock) : clock_(clock) {}

  std::string_view Name() const override { return "TaintTimes"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  const Clock& clock_;
};

/// A new node is not ready until something says that it is, and gets the taint for it.
class TaintNodesByCondition final : public Admission {
 public:
  std::string_view Name() const override { return "TaintNodesByCondition"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;
};

}  // namespace plimsoll::apiserver
