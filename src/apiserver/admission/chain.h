#pragma once

#include <memory>
#include <vector>

#include "apiserver/admission/admission.h"
#include "apiserver/admission/default_toleration_seconds.h"
#include "apiserver/admission/pod_security_options.h"
#include "apiserver/authz/escalation.h"
#include "apiserver/cache/cache.h"
#include "base/clock.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

struct AdmissionOptions {
  DefaultTolerations tolerations;
  PodSecurityOptions pod_security;
};

/// Clock and metrics of the plugins.
struct AdmissionInstruments {
  const Clock& clock;
  MetricsRegistry& metrics;
};

/// Returns all admission plugins in their order: access checks, then mutations, then warnings. The
/// references must outlive them.
std::vector<std::unique_ptr<Admission>> MakeAdmissionChain(Cache& cache,
                                                           const ResourceTable& resources,
                                                           const EscalationAuthorizers& judges,
                                                           const AdmissionOptions& options,
                                                           const AdmissionInstruments& instruments);

}  // namespace plimsoll::apiserver
