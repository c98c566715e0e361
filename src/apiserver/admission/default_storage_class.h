#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// A claim that says nothing about its storage class gets the one that is marked as the default; of
/// several the youngest.
class DefaultStorageClass final : public Admission {
 public:
  /// `classes` is the resource storageclasses. Both must outlive it.
  DefaultStorageClass(const Cache& cache, const Resource& classes)
      : cache_(cache), classes_(classes) {}

  std::string_view Name() const override { return "DefaultStorageClass"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  const Cache& cache_;
  const Resource& classes_;
};

}  // namespace plimsoll::apiserver
