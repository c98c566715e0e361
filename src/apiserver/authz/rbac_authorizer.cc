#include "apiserver/authz/rbac_authorizer.h"

#include <memory>

#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

const Resource& Find(const ResourceTable& resources, std::string_view plural) {
  const Resource* const resource = resources.Find(kRbacGroup, "v1", plural);
  PL_ASSERT(resource != nullptr);
  return *resource;
}

}  // namespace

RbacAuthorizer::RbacAuthorizer(Cache& cache, const ResourceTable& resources)
    : policy_(std::make_shared<const RbacPolicy>()),
      follower_(cache,
                {Roles(Find(resources, "clusterroles"), true),
                 Bindings(Find(resources, "clusterrolebindings"), true),
                 Roles(Find(resources, "roles"), false),
                 Bindings(Find(resources, "rolebindings"), false)},
                [this] { policy_.Replace(builder_.Build()); }) {}

FollowedResource RbacAuthorizer::Roles(const Resource& resource, bool is_cluster) {
  return {.resource = &resource,
          .clear = [this, is_cluster] { builder_.ClearRoles(is_cluster); },
          .apply =
              [this](const CacheEvent& event) {
                if (event.now != nullptr) {
                  const auto decoded = event.now->Decode();
                  if (decoded) return builder_.Put(ReadRole((*decoded)->tree()));
                }
                const StoredObject& gone = event.now != nullptr ? *event.now : *event.before;
                builder_.RemoveRole(gone.namespace_(), gone.name());
              }};
}

FollowedResource RbacAuthorizer::Bindings(const Resource& resource, bool is_cluster) {
  return {.resource = &resource,
          .clear = [this, is_cluster] { builder_.ClearBindings(is_cluster); },
          .apply =
              [this](const CacheEvent& event) {
                if (event.now != nullptr) {
                  const auto decoded = event.now->Decode();
                  if (decoded) return builder_.Put(ReadRoleBinding((*decoded)->tree()));
                }
                const StoredObject& gone = event.now != nullptr ? *event.now : *event.before;
                builder_.RemoveBinding(gone.namespace_(), gone.name());
              }};
}

const RbacPolicy& RbacAuthorizer::Policy() const {
  follower_.Refresh();
  return policy_.Read();
}

Decision RbacAuthorizer::Authorize(const User& user, const RequestInfo& what) const {
  return Policy().Authorize(user, what);
}

ResolvedRules RbacAuthorizer::RulesFor(const User& user, std::string_view namespace_) const {
  return Policy().RulesFor(user, namespace_);
}

Result<PolicyRules> RbacAuthorizer::RulesOf(const RoleRef& role,
                                            std::string_view namespace_) const {
  return Policy().RulesOf(role, namespace_);
}

}  // namespace plimsoll::apiserver
