#pragma once

#include <cstdint>

#include "apiserver/admission/admission.h"

namespace plimsoll::apiserver {

struct DefaultTolerations {
  std::int64_t not_ready_seconds = 300;    // --default-not-ready-toleration-seconds
  std::int64_t unreachable_seconds = 300;  // --default-unreachable-toleration-seconds
};

/// Adds tolerations with a time limit for the not-ready and unreachable taints, unless the pod has
/// its own.
class DefaultTolerationSeconds final : public Admission {
 public:
  explicit DefaultTolerationSeconds(DefaultTolerations defaults) : defaults_(defaults) {}

  std::string_view Name() const override { return "DefaultTolerationSeconds"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  const DefaultTolerations defaults_;
};

}  // namespace plimsoll::apiserver
