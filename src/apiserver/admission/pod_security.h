#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "api/podsecurity/evaluate.h"
#include "apiserver/admission/admission.h"
#include "apiserver/admission/pod_security_metrics.h"
#include "apiserver/admission/pod_security_options.h"
#include "apiserver/cache/cache.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

/// Enforces the Pod Security Standards in the labels of the namespace: rejects pods, warns about
/// pods and workloads, and annotates audit events. Validates the labels of namespaces, and warns if
/// existing pods violate a new enforce level.
class PodSecurity final : public Admission {
 public:
  /// `namespaces` and `pods` are the stored versions of the resources. The references must outlive
  /// this object.
  PodSecurity(Cache& cache, const Resource& namespaces, const Resource& pods,
              const PodSecurityOptions& options, const Clock& clock, MetricsRegistry& metrics)
      : cache_(cache),
        namespaces_(namespaces),
        pods_(pods),
        options_(options),
        clock_(clock),
        metrics_(metrics) {}

  std::string_view Name() const override { return "PodSecurity"; }
  api::Answer<void> Admit(AdmissionAttributes&) override { return {}; }
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  api::Answer<void> ValidateNamespace(const AdmissionAttributes& attributes);
  api::Answer<void> ValidatePod(const AdmissionAttributes& attributes);
  api::Answer<void> ValidateWorkload(const AdmissionAttributes& attributes,
                                     const api::PodTree& pod);
  /// Returns true if the request needs no evaluation, and annotates the reason.
  bool IsExempt(const AdmissionAttributes& attributes);
  bool IsExemptRuntimeClass(const api::PodTree& pod) const;
  api::Answer<void> Decide(const AdmissionAttributes& attributes,
                           const api::PodSecurityPolicy& policy, const api::FieldErrors& errors,
                           const api::PodTree& pod, bool is_enforced);
  /// Returns the stored namespace, or null if it does not exist or cannot be decoded.
  ObjectPtr FindNamespace(std::string_view name) const;
  std::string ExemptNamespaceWarning(std::string_view name, const api::PodSecurityPolicy& policy,
                                     const api::StringMap& labels) const;
  /// Returns warnings about existing pods.
  std::vector<std::string> EvaluateExisting(std::string_view namespace_,
                                            const api::LevelVersion& enforce) const;

  Cache& cache_;
  const Resource& namespaces_;
  const Resource& pods_;
  const PodSecurityOptions options_;
  const Clock& clock_;
  PodSecurityMetrics metrics_;
};

}  // namespace plimsoll::apiserver
