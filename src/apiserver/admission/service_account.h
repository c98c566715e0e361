#pragma once

#include "apiserver/admission/admission.h"

namespace plimsoll::apiserver {

/// A pod that names no service account runs as `default`.
class ServiceAccount final : public Admission {
 public:
  std::string_view Name() const override { return "ServiceAccount"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;
};

}  // namespace plimsoll::apiserver
