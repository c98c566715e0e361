#include "api/defaults/hooks.h"

#include "base/assert.h"

namespace plimsoll::api::defaults {

void RunDefaultHook(Document& document, TypeId type, Value& object) {
  namespace apps = fields::apps_v1;
  namespace batch = fields::batch_v1;
  namespace core = fields::core_v1;
  namespace resource = fields::resource_v1;
  switch (type) {
    case core::Pod::kTypeId:
      return DefaultPod(document, object);
    case core::PodSpec::kTypeId:
      return DefaultPodSpec(document, object);
    case core::Container::kTypeId:
      return DefaultContainer(document, object);
    case core::EphemeralContainer::kTypeId:
      return DefaultEphemeralContainer(document, object);
    case core::Volume::kTypeId:
      return DefaultVolume(document, object);
    case core::NodeStatus::kTypeId:
      return DefaultNodeStatus(document, object);
    case apps::DeploymentStrategy::kTypeId:
      return DefaultDeploymentStrategy(document, object);
    case apps::StatefulSetUpdateStrategy::kTypeId:
      return DefaultStatefulSetUpdateStrategy(document, object);
    case apps::DaemonSetUpdateStrategy::kTypeId:
      return DefaultDaemonSetUpdateStrategy(document, object);
    case batch::Job::kTypeId:
      return DefaultJob(document, object);
    case batch::JobSpec::kTypeId:
      return DefaultJobSpec(document, object);
    case resource::ExactDeviceRequest::kTypeId:
      return DefaultExactDeviceRequest(document, object);
    case resource::DeviceSubRequest::kTypeId:
      return DefaultDeviceSubRequest(document, object);
    case resource::DeviceToleration::kTypeId:
      return DefaultDeviceToleration(document, object);
    case core::ServiceSpec::kTypeId:
      return DefaultServiceSpec(document, object);
    case core::ServicePort::kTypeId:
      return DefaultServicePort(document, object);
    case core::LoadBalancerIngress::kTypeId:
      return DefaultLoadBalancerIngress(document, object);
    case core::Namespace::kTypeId:
      return DefaultNamespace(document, object);
    case core::Secret::kTypeId:
      return DefaultSecret(document, object);
    case core::ReplicationController::kTypeId:
      return DefaultReplicationController(document, object);
    case fields::storage_v1::CSIDriverSpec::kTypeId:
      return DefaultCsiDriverSpec(document, object);
    case fields::rbac_v1::Subject::kTypeId:
      return DefaultSubject(document, object);
    default:
      PL_ASSERT(false && "a type described as `hook` has a row here");
  }
}

}  // namespace plimsoll::api::defaults
