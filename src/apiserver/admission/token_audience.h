#pragma once

#include <string_view>

#include "apiserver/cache/cache.h"
#include "base/result.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// Finds the audiences of service account tokens that a pod needs. Safe for use by many threads.
class TokenAudiences {
 public:
  /// Both must outlive it.
  TokenAudiences(const Cache& cache, const ResourceTable& resources);

  /// Returns whether the pod asks for tokens of that audience: by a projected volume, or by a CSI
  /// driver that one of its volumes uses and that lists the audience in spec.tokenRequests.
  /// NotFound when an object on the way to a driver does not exist and no other volume has the
  /// audience.
  Result<bool> Has(const codec::Value& pod, std::string_view namespace_,
                   std::string_view audience) const;

 private:
  /// Returns the name of the volume's CSI driver, empty if it has none.
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
