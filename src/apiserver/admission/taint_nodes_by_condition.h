#pragma once

#include "apiserver/admission/admission.h"

namespace plimsoll::apiserver {

/// A new node is not ready until something says that it is, and gets the taint for it.
class TaintNodesByCondition final : public Admission {
 public:
  std::string_view Name() const override { return "TaintNodesByCondition"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;
};

}  // namespace plimsoll::apiserver
