#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Writes into a new pod what its RuntimeClass says: overhead, node selector and tolerations.
/// Refuses a pod whose class is missing, whose node selector contradicts the class's, or whose
/// overhead is not the class's.
class RuntimeClass final : public Admission {
 public:
  /// `classes` is the resource runtimeclasses. Both must outlive it.
  RuntimeClass(const Cache& cache, const Resource& classes) : cache_(cache), classes_(classes) {}

  std::string_view Name() const override { return "RuntimeClass"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  /// Null when the pod names no class.
  api::Answer<std::shared_ptr<const api::Object>> FindClass(
      const AdmissionAttributes& attributes) const;

  const Cache& cache_;
  const Resource& classes_;
};

}  // namespace plimsoll::apiserver
