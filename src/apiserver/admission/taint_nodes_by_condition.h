#pragma once

#include "apiserver/admission/admission.h"

namespace plimsoll::apiserver {

/// Adds the not-ready taint to a new node.
class TaintNodesByCondition final : public Admission {
 public:
  std::string_view Name() const override { return "TaintNodesByCondition"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;
};

}  // namespace plimsoll::apiserver
