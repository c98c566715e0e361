#pragma once

#include <string_view>

#include "apiserver/admission/admission.h"
#include "apiserver/authz/escalation.h"

namespace plimsoll::apiserver {

/// Checks writes of roles and bindings for privilege escalation; see escalation.h. Must run after
/// all mutating admission.
class EscalationGate final : public Admission {
 public:
  explicit EscalationGate(EscalationAuthorizers judges) : judges_(std::move(judges)) {}

  std::string_view Name() const override { return "RBACEscalation"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  EscalationAuthorizers judges_;
};

/// Returns true if the objects differ only in fields that the garbage collector changes. It must be
/// able to update roles whose permissions it does not hold.
bool DifferForCollectorOnly(const codec::Value& before, const codec::Value& now);

}  // namespace plimsoll::apiserver
