#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/admission/token_audience.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Upstream's NodeRestriction: limits a node (`system:node:<name>` in `system:nodes`) to its own
/// objects. A node may write its Node, but not its taints, ownerReferences and protected labels. It
/// may also write its Lease, CSINode and ResourceSlices, and the status of its pods. It may create
/// mirror pods that refer to no other object, and tokens for its pods. A compromised node must not
/// be able to attract workloads or to gain permissions.
/// Safe for use by many threads.
class NodeRestriction final : public Admission {
 public:
  /// All references must outlive this object.
  NodeRestriction(const Cache& cache, const ResourceTable& resources, const Authorizer& authorizer);

  std::string_view Name() const override { return "NodeRestriction"; }
  api::Answer<void> Admit(AdmissionAttributes& attributes) override;

 private:
  api::Answer<void> AdmitPod(const AdmissionAttributes& attributes, std::string_view node) const;
  api::Answer<void> AdmitMirrorPod(const AdmissionAttributes& attributes,
                                   std::string_view node) const;
  /// Checks that the only owner of a mirror pod is its node.
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

/// Returns true if a node may set this label key on its Node.
bool IsNodeLabelAllowed(std::string_view key);

}  // namespace plimsoll::apiserver
