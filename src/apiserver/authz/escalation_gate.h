#pragma once

#include <string_view>

#include "apiserver/admission/admission.h"
#include "apiserver/authz/escalation.h"

namespace plimsoll::apiserver {

/// Holds writes of roles and bindings against what their author has; see escalation.h. Stands
/// behind the gates that change objects.
class EscalationGate final : public Admission {
 public:
  explicit EscalationGate(EscalationJudges judges) : judges_(std::move(judges)) {}

  std::string_view Name() const override { return "RBACEscalation"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  EscalationJudges judges_;
};

/// Whether two states of an object differ in nothing but what the garbage collector changes. It
/// must be able to do its work on roles whose rights it lacks.
bool DifferForCollectorOnly(const codec::Value& before, const codec::Value& now);

}  // namespace plimsoll::apiserver
