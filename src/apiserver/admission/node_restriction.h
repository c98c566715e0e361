#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/admission/token_audience.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Upstream's NodeRestriction: limits a node (`system:node:<name>` in `system:nodes`) to its own
/// objects. A node may write its Node, but not its taints, ownerReferences and the labels that
/// others rely on; its Lease, CSINode and ResourceSlices; mirror pods that refer to no other
/// object; the status of pods that are bound to it; and tokens for these pods. A node that was
/// taken over must not be able to draw workloads to itself or to gain rights. Safe for use by many
/// threads.
class NodeRestriction final : public Admission {
 public:
  /// All must outlive it.
  NodeRestriction(const Cache& cache, const ResourceTable& resources, const Authorizer& authorizer);

  std::string_view Name() const override { return "NodeRestriction"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  api::Answer<void> AdmitPod(const AdmissionAttributes& attributes, std::string_view node) const;
  api::Answer<void> AdmitMirrorPod(const AdmissionAttributes& attributes,
                                   std::string_view node) const;
  /// A mirror pod has one owner: its node.
  api::Answer<void> CheckOwner(const AdmissionAttributes& attributes, std::string_view node) const;
  api::Answer<void> AdmitEviction(const AdmissionAttributes& attributes,
                                  std::string_view node) const;
  api::Answer<void> AdmitToken(const AdmissionAttributes& attributes, std::string_view node) const;
  api::Answer<void> CheckAudience(const AdmissionAttributes& attributes,
                                  const codec::Value& pod) const;

  const Cache& cache_;
  const Resource& pods_;
  const Resource& nodes_;
  const Authorizer& authorizer_;
  const TokenAudiences audiences_;
};

/// Returns whether a node may set a label of that key on its Node.
bool IsNodeLabelAllowed(std::string_view key);

}  // namespace plimsoll::apiserver
