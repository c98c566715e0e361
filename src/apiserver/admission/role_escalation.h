#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/authz/escalation.h"

namespace plimsoll::apiserver {

/// Nobody writes a role or a binding that gives away more than they have.
class RoleEscalation final : public Admission {
 public:
  /// What the judges refer to must outlive it.
  explicit RoleEscalation(EscalationJudges judges) : judges_(std::move(judges)) {}

  std::string_view Name() const override { return "RoleEscalation"; }
  api::Answer<void> Admit(AdmissionAttributes&) override { return {}; }
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  const EscalationJudges judges_;
};

}  // namespace plimsoll::apiserver
