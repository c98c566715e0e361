#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Sets the default StorageClass of a claim that names none. If several classes are default, the
/// youngest wins.
class DefaultStorageClass final : public Admission {
 public:
  /// `classes` is the resource storageclasses. Both references must outlive this object.
  DefaultStorageClass(const Cache& cache, const Resource& classes)
      : cache_(cache), classes_(classes) {}

  std::string_view Name() const override { return "DefaultStorageClass"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  const Cache& cache_;
  const Resource& classes_;
};

}  // namespace plimsoll::apiserver
