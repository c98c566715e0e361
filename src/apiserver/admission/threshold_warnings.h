#pragma once

#include <memory>

#include "apiserver/admission/admission.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/cache/cache_follower.h"

namespace plimsoll::apiserver {

/// Warns, but never rejects, if a strict threshold of a pod or workload excludes a value that a
/// node currently has. Also warns about the pitfall of pre-release versions (decisions D3 and D17).
/// The warnings show node names, taints and labels, so only users who may get all nodes receive
/// them.
/// Also warns about tolerations with `expression` in pods of another scheduler, which may not
/// support that field.
class ThresholdWarnings final : public Admission {
 public:
  /// `nodes` is the resource. Follows its changes in the cache, so that the cost of a write depends
  /// on its tolerations, and not on the number of nodes.
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
