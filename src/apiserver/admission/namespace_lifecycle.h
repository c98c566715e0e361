#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Nothing is created in a namespace that is missing or on its way out, and the namespaces that the
/// system lives in stay.
class NamespaceLifecycle final : public Admission {
 public:
  /// `namespaces` is the resource. Both must outlive it.
  NamespaceLifecycle(const Cache& cache, const Resource& namespaces)
      : cache_(cache), namespaces_(namespaces) {}

  std::string_view Name() const override { return "NamespaceLifecycle"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  const Cache& cache_;
  const Resource& namespaces_;
};

}  // namespace plimsoll::apiserver
