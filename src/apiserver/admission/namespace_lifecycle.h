#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Rejects creates in a namespace that does not exist or is terminating, and deletes of the system
/// namespaces.
class NamespaceLifecycle final : public Admission {
 public:
  /// `namespaces` is the resource. Both references must outlive this object.
  NamespaceLifecycle(const Cache& cache, const Resource& namespaces)
      : cache_(cache), namespaces_(namespaces) {}

  std::string_view Name() const override { return "NamespaceLifecycle"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  const Cache& cache_;
  const Resource& namespaces_;
};

}  // namespace plimsoll::apiserver
