#pragma once

#include "api/validation/context.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Namespaces with the label `resource.kubernetes.io/admin-access: "true"`.
class LabelledNamespaces final : public api::AdminNamespaces {
 public:
  /// `namespaces` is the resource.
  LabelledNamespaces(const Cache& cache, const Resource& namespaces)
      : cache_(cache), namespaces_(namespaces) {}

  bool AllowsAdminAccess(std::string_view namespace_) const override;

 private:
  const Cache& cache_;
  const Resource& namespaces_;
};

}  // namespace plimsoll::apiserver
