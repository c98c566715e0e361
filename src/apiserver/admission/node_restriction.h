#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Keeps a node's agent to its own: its Node without taints and without labels that others rely on,
/// its lease, its slices, and the pods that are bound to it. An agent that was taken over must not
/// be able to draw workloads to itself.
class NodeRestriction final : public Admission {
 public:
  /// `pods` is the resource. Both must outlive it.
  NodeRestriction(const Cache& cache, const Resource& pods) : cache_(cache), pods_(pods) {}

  std::string_view Name() const override { return "NodeRestriction"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  api::Answer<void> AdmitNode(const AdmissionAttributes& attributes, std::string_view node) const;
  api::Answer<void> AdmitPod(const AdmissionAttributes& attributes, std::string_view node) const;
  api::Answer<void> AdmitEviction(const AdmissionAttributes& attributes,
                                  std::string_view node) const;

  const Cache& cache_;
  const Resource& pods_;
};

/// Whether a node's agent may set a label of that key on its own node.
bool IsNodeLabelAllowed(std::string_view key);

}  // namespace plimsoll::apiserver
