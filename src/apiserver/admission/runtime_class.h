#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Copies overhead, node selector and tolerations of its RuntimeClass into a new pod. Rejects a pod
/// if the class does not exist, the node selectors conflict, or the overhead differs from that of
/// the class.
class RuntimeClass final : public Admission {
 public:
  /// `classes` is the resource runtimeclasses. Both references must outlive this object.
  RuntimeClass(const Cache& cache, const Resource& classes) : cache_(cache), classes_(classes) {}

  std::string_view Name() const override { return "RuntimeClass"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  /// Returns null if the pod names no class.
  api::Answer<std::shared_ptr<const api::Object>> FindClass(
      const AdmissionAttributes& attributes) const;

  const Cache& cache_;
  const Resource& classes_;
};

}  // namespace plimsoll::apiserver
