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

/// Holds pods against the Pod Security Standards that their namespace's labels ask for: refuses
/// pods, warns about pods and workloads, and annotates audit events. Checks the labels of
/// namespaces, and warns when existing pods violate a new enforce level.
class PodSecurity final : public Admission {
 public:
  /// Existing pods that a change of a namespace's labels looks at, at most, and how long it may.
  static constexpr std::size_t kPodsCheckedMax = 3000;
  static constexpr Duration kCheckTimeMax = std::chrono::seconds(1);

  /// `namespaces` and `pods` are the resources in their stored version. The references must outlive
  /// this.
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
  /// Reports whether the request needs no evaluation, and annotates why.
  bool IsExempt(const AdmissionAttributes& attributes);
  bool IsExemptRuntimeClass(const api::PodTree& pod) const;
  api::Answer<void> Decide(const AdmissionAttributes& attributes,
                           const api::PodSecurityPolicy& policy, const api::FieldErrors& errors,
                           const api::PodTree& pod, bool is_enforced);
  /// The namespace as it is stored; null: it is gone, or cannot be read.
  ObjectPtr FindNamespace(std::string_view name) const;
  std::string ExemptNamespaceWarning(std::string_view name, const api::PodSecurityPolicy& policy,
                                     const api::StringMap& labels) const;
  /// Warnings about the pods that are there.
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
