#include "api/defaults/hooks.h"
#include "api/defaults/image_name.h"
#include "codec/patch/member_index.h"

namespace plimsoll::api::defaults {
namespace {

namespace core = fields::core_v1;

void DefaultRequestsFromLimits(Document& document, Value& container) {
  using F = core::ResourceRequirements;
  Value* resources = FindMember(container, core::Container::kResources);
  if (resources == nullptr) return;
  const Value* found = FindMember(*resources, F::kLimits);
  if (found == nullptr || found->members().empty()) return;
  const Value limits = *found;
  PutIfAbsent<F>(document, *resources, F::kRequests, document.NewObject(limits.members().size()));
  Value& requests = *FindMember(*resources, F::kRequests);
  const codec::MemberIndex given(requests);
  for (const codec::Member& limit : limits.members()) {
    if (given.Find(limit.key) == nullptr) document.AppendMember(requests, limit);
  }
}

/// With hostNetwork, the host port defaults to the container port.
void DefaultHostPorts(Document& document, Value& container) {
  using F = core::ContainerPort;
  Value* ports = FindMember(container, core::Container::kPorts);
  if (ports == nullptr) return;
  for (Value& port : ports->items()) {
    const Value* container_port = FindMember(port, F::kContainerPort);
    if (container_port == nullptr || !IsZero(FindMember(port, F::kHostPort))) continue;
    Put<F>(document, port, F::kHostPort, *container_port);
  }
}

template <class F>
void DefaultPullPolicy(Document& document, Value& container) {
  if (!IsZero(FindMember(container, F::kImagePullPolicy))) return;
  const bool latest = IsLatestImage(TextOf(container, F::kImage));
  Put<F>(document, container, F::kImagePullPolicy,
         Value::String(latest ? "Always" : "IfNotPresent"));
}

}  // namespace

void DefaultPod(Document& document, Value& pod) {
  using F = core::PodSpec;
  Value& spec = *FindMember(pod, core::Pod::kSpec);
  const Value* host_network = FindMember(spec, F::kHostNetwork);
  const bool is_on_host = host_network != nullptr && host_network->AsBool();
  for (const FieldId list : {F::kContainers, F::kInitContainers}) {
    Value* containers = FindMember(spec, list);
    if (containers == nullptr) continue;
    for (Value& container : containers->items()) {
      DefaultRequestsFromLimits(document, container);
      if (is_on_host) DefaultHostPorts(document, container);
    }
  }
  if (FindMember(spec, F::kResources) != nullptr) DefaultPodLevelResources(document, spec);
  // Not set in templates, so that workloads created by older servers do not seem to change.
  PutIfAbsent<F>(document, spec, F::kEnableServiceLinks, Value::Bool(true));
}

void DefaultPodSpec(Document& document, Value& spec) {
  using F = core::PodSpec;
  // The deprecated field `serviceAccount` applies if serviceAccountName is missing.
  const Value* old_name = FindMember(spec, F::kServiceAccount);
  if (!IsZero(old_name) && IsZero(FindMember(spec, F::kServiceAccountName))) {
    Put<F>(document, spec, F::kServiceAccountName, *old_name);
  }
}

void DefaultContainer(Document& document, Value& container) {
  DefaultPullPolicy<core::Container>(document, container);
}

void DefaultEphemeralContainer(Document& document, Value& container) {
  DefaultPullPolicy<core::EphemeralContainer>(document, container);
}

void DefaultVolume(Document& document, Value& volume) {
  using F = core::Volume;
  for (const codec::Member& member : volume.members()) {
    if (member.field != F::kName) return;
  }
  Put<F>(document, volume, F::kEmptyDir, document.NewObject());
}

}  // namespace plimsoll::api::defaults
