#include "apiserver/admission/namespace_lifecycle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plimsoll::apiserver {
namespace {

constexpr std::array<std::string_view, 3> kImmortal = {"default", "kube-system", "kube-public"};

bool IsTerminating(const StoredObject& object) {
  return object.fields().Find("status.phase") == "Terminating";
}

}  // namespace

api::Answer<void> NamespaceLifecycle::Admit(AdmissionAttributes& attributes) {
  const Resource& resource = *attributes.resource;
  if (resource.kind == namespaces_.kind) {
    const bool is_immortal = std::ranges::find(kImmortal, attributes.name) != kImmortal.end();
    if (attributes.operation == Operation::Delete && is_immortal) {
      return std::unexpected(
          api::Forbidden({"", "namespaces", attributes.name}, "this namespace may not be deleted"));
    }
    return {};
  }
  const bool is_deleting = attributes.operation == Operation::Delete;
  if (!resource.kind->is_namespaced || is_deleting || resource.is_review) return {};

  const std::string_view name = attributes.namespace_;
  const ObjectPtr found = cache_.Get(namespaces_, "", name);
  if (found == nullptr) return std::unexpected(api::NotFound({"", "namespaces", name}));
  if (attributes.operation != Operation::Create || !IsTerminating(*found)) return {};
  // Sub-resources of existing objects are no new content: a pod can still be evicted.
  if (!attributes.subresource.empty()) return {};
  api::StatusObject status = api::Forbidden(
      {resource.group(), resource.name(), attributes.name},
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  name));
  status.details->causes.push_back({"NamespaceTerminating",
                                    fmt::format("namespace {} is being terminated", name),
                                    "metadata.namespace"});
  return std::unexpected(std::move(status));
}

}  // namespace plimsoll::apiserver
