#pragma once

#include <cstddef>

#include "apiserver/admission/admission.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Warns, and never refuses: about a driver's name with capitals in it, and about a taint rule that
/// selects every device there is. The counts of devices and of the pods that use one are shown to
/// users who may list all ResourceSlices and all ResourceClaims.
class DeviceWarnings final : public Admission {
 public:
  /// The resources in their stored version.
  DeviceWarnings(const Cache& cache, const Resource& slices, const Resource& claims,
                 const Authorizer& authorizer)
      : cache_(cache), slices_(slices), claims_(claims), authorizer_(authorizer) {}

  std::string_view Name() const override { return "DeviceWarnings"; }
  api::Answer<void> Admit(AdmissionAttributes&) override { return {}; }
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  std::size_t CountDevices() const;
  /// Pods that an allocated claim is reserved for.
  std::size_t CountPods() const;

  const Cache& cache_;
  const Resource& slices_;
  const Resource& claims_;
  const Authorizer& authorizer_;
};

}  // namespace plimsoll::apiserver
