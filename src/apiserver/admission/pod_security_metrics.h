#pragma once

#include "api/podsecurity/evaluate.h"
#include "apiserver/admission/admission.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// Metrics of the admission plugin PodSecurity, under upstream's names. Safe for use by many
/// threads.
class PodSecurityMetrics {
 public:
  /// The registry must outlive this object.
  explicit PodSecurityMetrics(MetricsRegistry& metrics);

  void Evaluated(const AdmissionAttributes& attributes,
                 const api::PodSecurityEvaluation& evaluation);
  void Exempted(const AdmissionAttributes& attributes);
  /// `is_fatal`: the request could not be evaluated at all.
  void Failed(const AdmissionAttributes& attributes, bool is_fatal);

 private:
  MetricFamily<Counter> evaluations_;
  MetricFamily<Counter> exemptions_;
  MetricFamily<Counter> errors_;
  // Counters of the most frequent case, which need no lookup.
  Counter created_privileged_;
  Counter updated_privileged_;
};

}  // namespace plimsoll::apiserver
