#pragma once

#include "api/schema/fields.h"
#include "codec/document.h"

/// Defaults that depend on other fields. A type described with `hook` has a function here, named
/// Default<Type>; the generated tables point to it. The hook runs after the type's constants are
/// set and before the defaults of its members.
namespace plimsoll::api::defaults {

using codec::Document;
using codec::FieldId;
using codec::Value;

// pod.cc
void DefaultPod(Document& document, Value& pod);
void DefaultPodSpec(Document& document, Value& spec);
void DefaultContainer(Document& document, Value& container);
void DefaultEphemeralContainer(Document& document, Value& container);
void DefaultVolume(Document& document, Value& volume);

// pod_resources.cc
void DefaultPodLevelResources(Document& document, Value& spec);
/// Rounds quantities up to thousandths, as upstream does.
void RoundResources(Document& document, Value& resource_list);

// workload.cc
void DefaultDeploymentStrategy(Document& document, Value& strategy);
void DefaultStatefulSetUpdateStrategy(Document& document, Value& strategy);
void DefaultDaemonSetUpdateStrategy(Document& document, Value& strategy);
void DefaultJob(Document& document, Value& job);
void DefaultJobSpec(Document& document, Value& spec);

// device.cc
void DefaultExactDeviceRequest(Document& document, Value& request);
void DefaultDeviceSubRequest(Document& document, Value& request);
void DefaultDeviceToleration(Document& document, Value& toleration);

// service.cc
void DefaultServiceSpec(Document& document, Value& spec);
void DefaultServicePort(Document& document, Value& port);
void DefaultLoadBalancerIngress(Document& document, Value& ingress);

// small_kinds.cc
void DefaultNamespace(Document& document, Value& object);
void DefaultSecret(Document& document, Value& secret);
void DefaultReplicationController(Document& document, Value& controller);
void DefaultCSIDriverSpec(Document& document, Value& spec);
void DefaultSubject(Document& document, Value& subject);

// node.cc
void DefaultNodeStatus(Document& document, Value& status);

/// Returns the member with that field number, or null.
inline Value* FindMember(Value& object, FieldId field) {
  for (codec::Member& member : object.members()) {
    if (member.field == field) return &member.value;
  }
  return nullptr;
}

/// Sets a field of an object of type F (`fields::core_v1::PodSpec`). Invalidates pointers to
/// other members of the object.
template <class F>
Value& Put(Document& document, Value& object, typename F::Id field, Value value) {
  if (Value* present = FindMember(object, field)) {
    *present = value;
    return *present;
  }
  document.AppendMember(object, {Describe(F::kTypeId).fields[field].name, value, field});
  return object.members().back().value;
}

/// Sets the field unless it is present.
template <class F>
void PutIfAbsent(Document& document, Value& object, typename F::Id field, Value value) {
  if (FindMember(object, field) == nullptr) Put<F>(document, object, field, value);
}

/// Returns true if a text is missing or empty, or a number is missing or 0.
inline bool IsZero(const Value* value) {
  if (value == nullptr || value->is_null()) return true;
  return value->is_string() ? value->text().empty() : value->is_int() && value->AsInt() == 0;
}

/// Returns an empty text if the member is missing.
inline std::string_view TextOf(Value& object, FieldId field) {
  const Value* value = FindMember(object, field);
  return value == nullptr ? std::string_view() : value->text();
}

}  // namespace plimsoll::api::defaults
