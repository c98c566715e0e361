#include "apiserver/authz/escalation_gate.h"

#include <algorithm>
#include <array>

namespace plimsoll::apiserver {
namespace {

using codec::Member;
using codec::Value;

template <class Skip>
bool EqualBut(const Value& a, const Value& b, const Skip& skip) {
  const auto holds = [&](const Value& one, const Value& other) {
    return std::ranges::all_of(one.members(), [&](const Member& member) {
      if (skip(member.key)) return true;
      const Value* const found = other.Find(member.key);
      return found != nullptr && *found == member.value;
    });
  };
  return holds(a, b) && holds(b, a);
}

bool IsCollectors(std::string_view key) {
  constexpr std::array<std::string_view, 4> kKeys = {"ownerReferences", "finalizers",
                                                     "managedFields", "resourceVersion"};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

}  // namespace

bool DifferForCollectorOnly(const Value& before, const Value& now) {
  const Value* const before_metadata = before.Find("metadata");
  const Value* const now_metadata = now.Find("metadata");
  return before_metadata != nullptr && now_metadata != nullptr &&
         EqualBut(*before_metadata, *now_metadata, IsCollectors) &&
         EqualBut(before, now, [](std::string_view key) { return key == "metadata"; });
}

api::Answer<void> EscalationGate::Admit(AdmissionAttributes& attributes) {
  const bool is_write =
      attributes.operation == Operation::Create || attributes.operation == Operation::Update;
  if (!is_write || attributes.resource->group() != kRbacGroup || !attributes.subresource.empty()) {
    return {};
  }
  const Value& tree = attributes.document->root();
  const api::Object* const before = attributes.before;
  if (before != nullptr && DifferForCollectorOnly(before->tree(), tree)) return {};

  const std::string_view plural = attributes.resource->name();
  RequestInfo what;
  what.is_resource_request = true;
  what.group = kRbacGroup;
  what.version = attributes.resource->kind->version;
  what.resource = plural;
  if (attributes.resource->kind->is_namespaced) what.namespace_ = attributes.namespace_;
  // A create request addresses the collection, so it has no name.
  if (attributes.operation == Operation::Update) what.name = attributes.name;
  if (plural == "rolebindings" || plural == "clusterrolebindings") {
    return CheckBindingEscalation(judges_, *attributes.user, what, ReadRoleBinding(tree));
  }
  const Role now = ReadRole(tree);
  if (before == nullptr) {
    return CheckRoleEscalation(judges_, *attributes.user, what, nullptr, now);
  }
  const Role old = ReadRole(before->tree());
  return CheckRoleEscalation(judges_, *attributes.user, what, &old, now);
}

}  // namespace plimsoll::apiserver
