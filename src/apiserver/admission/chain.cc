#include "apiserver/admission/chain.h"

#include "apiserver/admission/default_storage_class.h"
#include "apiserver/admission/device_warnings.h"
#include "apiserver/admission/namespace_lifecycle.h"
#include "apiserver/admission/node_restriction.h"
#include "apiserver/admission/pod_security.h"
#include "apiserver/admission/priority.h"
#include "apiserver/admission/runtime_class.h"
#include "apiserver/admission/service_account.h"
#include "apiserver/admission/taint_nodes_by_condition.h"
#include "apiserver/admission/threshold_warnings.h"
#include "apiserver/authz/escalation_gate.h"
#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

const Resource& Find(const ResourceTable& resources, std::string_view group,
                     std::string_view plural) {
  const Resource* found = resources.Find(group, "v1", plural);
  PL_ASSERT(found != nullptr);
  return *found;
}

}  // namespace

std::vector<std::unique_ptr<Admission>> MakeAdmissionChain(
    Cache& cache, const ResourceTable& resources, const EscalationAuthorizers& judges,
    const AdmissionOptions& options, const AdmissionInstruments& instruments) {
  std::vector<std::unique_ptr<Admission>> chain;
  chain.push_back(std::make_unique<NamespaceLifecycle>(cache, Find(resources, "", "namespaces")));
  chain.push_back(std::make_unique<NodeRestriction>(cache, resources, judges.authorizer));
  chain.push_back(std::make_unique<ServiceAccount>());
  chain.push_back(std::make_unique<DefaultTolerationSeconds>(options.tolerations));
  chain.push_back(
      std::make_unique<Priority>(cache, Find(resources, "scheduling.k8s.io", "priorityclasses")));
  chain.push_back(
      std::make_unique<RuntimeClass>(cache, Find(resources, "node.k8s.io", "runtimeclasses")));
  chain.push_back(std::make_unique<DefaultStorageClass>(
      cache, Find(resources, "storage.k8s.io", "storageclasses")));
  chain.push_back(std::make_unique<TaintNodesByCondition>());
  chain.push_back(std::make_unique<EscalationGate>(judges));
  // After all plugins that change pods, so that it sees the object that is about to be stored.
  chain.push_back(std::make_unique<PodSecurity>(cache, Find(resources, "", "namespaces"),
                                                Find(resources, "", "pods"), options.pod_security,
                                                instruments.clock, instruments.metrics));
  chain.push_back(
      std::make_unique<ThresholdWarnings>(cache, Find(resources, "", "nodes"), judges.authorizer));
  chain.push_back(std::make_unique<DeviceWarnings>(
      cache, Find(resources, "resource.k8s.io", "resourceslices"),
      Find(resources, "resource.k8s.io", "resourceclaims"), judges.authorizer));
  return chain;
}

}  // namespace plimsoll::apiserver
