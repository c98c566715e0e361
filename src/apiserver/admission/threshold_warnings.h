#pragma once

#include <memory>

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Warns, and never refuses, when a pod's or a workload's strict threshold leaves out a value that
/// a node publishes at this moment, or falls into the trap of pre-releases (decisions D3 and D17).
class ThresholdWarnings final : public Admission {
 public:
  /// `nodes` is the resource. Follows it through the cache, so that a write costs what its own
  /// tolerations cost, and not the number of nodes.
  ThresholdWarnings(Cache& cache, const Resource& nodes);
  ~ThresholdWarnings() override;

  std::string_view Name() const override { return "ThresholdWarnings"; }
  api::Answer<void> Admit(AdmissionAttributes&) override { return {}; }
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  class Published;
  std::unique_ptr<Published> published_;
};

}  // namespace plimsoll::apiserver
