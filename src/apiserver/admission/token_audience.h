#pragma once

#include <string_view>

#include "apiserver/cache/cache.h"
#include "base/result.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// Determines for which audiences a pod needs service-account tokens. Safe for use by many threads.
class TokenAudiences {
 public:
  /// Both references must outlive this object.
  TokenAudiences(const Cache& cache, const ResourceTable& resources);

  /// Returns true if the pod needs tokens for the audience.
  /// A projected volume may request it, or a CSI driver of one of its volumes may list it in
  /// spec.tokenRequests. Fails with NotFound if an object on the way to a driver does not exist and
  /// no other volume has the audience.
  Result<bool> Has(const codec::Value& pod, std::string_view namespace_,
                   std::string_view audience) const;

 private:
  /// Returns the name of the volume's CSI driver, or "" if it has none.
  Result<std::string> DriverOf(const codec::Value& pod, std::string_view namespace_,
                               const codec::Value& volume) const;
  Result<std::string> DriverOfClaim(std::string_view namespace_, std::string_view claim) const;
  Result<bool> DriverHas(std::string_view driver, std::string_view audience) const;

  const Cache& cache_;
  const Resource& claims_;
  const Resource& volumes_;
  const Resource& drivers_;
};

}  // namespace plimsoll::apiserver
