#pragma once

#include <cstddef>

#include "apiserver/admission/admission.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Warns, but never rejects: about a driver name with upper-case letters, and about a
/// DeviceTaintRule that selects all devices. Shows the numbers of devices and of pods that use one
/// only to users who may list all ResourceSlices and ResourceClaims.
class DeviceWarnings final : public Admission {
 public:
  /// The resources are the stored versions.
  DeviceWarnings(const Cache& cache, const Resource& slices, const Resource& claims,
                 const Authorizer& authorizer)
      : cache_(cache), slices_(slices), claims_(claims), authorizer_(authorizer) {}

  std::string_view Name() const override { return "DeviceWarnings"; }
  api::Answer<void> Admit(AdmissionAttributes&) override { return {}; }
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  std::size_t CountDevices() const;
  /// Returns the number of pods for which an allocated claim is reserved.
  std::size_t CountPods() const;

  const Cache& cache_;
  const Resource& slices_;
  const Resource& claims_;
  const Authorizer& authorizer_;
};

}  // namespace plimsoll::apiserver
