#include "apiserver/admission/role_escalation.h"

#include "apiserver/strategy/place.h"

namespace plimsoll::apiserver {
namespace {

RequestInfo InfoOf(const AdmissionAttributes& attributes) {
  RequestInfo info;
  info.is_resource_request = true;
  info.verb = attributes.operation == Operation::Create ? "create" : "update";
  info.group = attributes.resource->group();
  info.version = attributes.resource->kind->version;
  info.namespace_ = attributes.namespace_;
  info.resource = attributes.resource->name();
  info.name = TextAt(attributes.document->root(), "metadata", "name");
  return info;
}

}  // namespace

api::Answer<void> RoleEscalation::Validate(const AdmissionAttributes& attributes) {
  if (attributes.document == nullptr || attributes.resource->group() != kRbacGroup) return {};
  const codec::Value& now = attributes.document->root();
  const codec::Value* before = attributes.before == nullptr ? nullptr : &attributes.before->tree();
  const RequestInfo what = InfoOf(attributes);
  const std::string_view resource = attributes.resource->name();
  if (resource == "roles" || resource == "clusterroles") {
    // What the garbage collector changes gives nobody any right.
    if (before != nullptr && SameAt(now, *before, "rules") &&
        SameAt(now, *before, "aggregationRule")) {
      return {};
    }
    const Role role = ReadRole(now);
    if (before == nullptr) {
      return CheckRoleEscalation(judges_, *attributes.user, what, nullptr, role);
    }
    const Role old = ReadRole(*before);
    return CheckRoleEscalation(judges_, *attributes.user, what, &old, role);
  }
  if (before != nullptr && SameAt(now, *before, "subjects") && SameAt(now, *before, "roleRef")) {
    return {};
  }
  return CheckBindingEscalation(judges_, *attributes.user, what, ReadRoleBinding(now));
}

}  // namespace plimsoll::apiserver
