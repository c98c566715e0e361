#pragma once

#include <memory>

#include "apiserver/admission/admission.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/cache/cache_follower.h"

namespace plimsoll::apiserver {

/// Warns, and never refuses, when a pod's or a workload's strict threshold leaves out a value that
/// a node publishes at this moment, or falls into the trap of pre-releases (decisions D3 and D17).
/// The warnings name nodes and show values of their taints and labels, so only users who may get
/// all nodes receive them.
/// Also warns of tolerations with an `expression` in pods for another scheduler than ours, which
/// may not know that field.
class ThresholdWarnings final : public Admission {
 public:
  /// `nodes` is the resource. Follows it through the cache, so that a write costs what its own
  /// tolerations cost, and not the number of nodes.
  ThresholdWarnings(Cache& cache, const Resource& nodes, const Authorizer& authorizer);
  ~ThresholdWarnings() override;

  std::string_view Name() const override { return "ThresholdWarnings"; }
  api::Answer<void> Admit(AdmissionAttributes&) override { return {}; }
  api::Answer<void> Validate(const AdmissionAttributes& attributes) override;

 private:
  class Published;
  const Authorizer& authorizer_;
  std::unique_ptr<Published> published_;
};

}  // namespace plimsoll::apiserver
