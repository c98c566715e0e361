#pragma once

#include "apiserver/admission/admission.h"

namespace plimsoll::apiserver {

/// Sets the service account `default` of pods that name none.
class ServiceAccount final : public Admission {
 public:
  std::string_view Name() const override { return "ServiceAccount"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;
};

}  // namespace plimsoll::apiserver
