#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/schema.h"
#include "apiserver/resource/runtime_config.h"

namespace plimsoll::apiserver {

/// A resource that is served in one version: a row of the table that routes, discovery, OpenAPI and
/// the cache are made from.
struct Resource {
  const api::KindDesc* kind = nullptr;         // as it is served
  const api::KindDesc* stored = nullptr;       // as it is stored; another for events.k8s.io/v1
  std::string prefix;                          // of its keys: /registry/pods/
  std::vector<std::string_view> subresources;  // the served ones: status, scale, binding, …
  bool is_review = false;                      // answered, never stored: subjectaccessreviews
  bool is_served = true;                       // to clients; see RuntimeConfig

  std::string_view group() const { return kind->group; }
  std::string_view name() const { return kind->plural; }
  /// Whether it is namespaces, which are their own namespace and end by rules of their own.
  bool is_namespaces() const { return group().empty() && name() == "namespaces"; }
  /// Whether objects are kept; reviews and bindings are not.
  bool is_stored() const { return !prefix.empty(); }
  bool Serves(std::string_view subresource) const;
  bool Allows(std::string_view verb) const;

  /// /registry/pods/default/web
  std::string KeyOf(std::string_view namespace_, std::string_view object) const;
};

/// All resources that this server knows: every described kind with a plural, less what is not
/// supported here. Immutable. Those that the configuration switches off are kept, as the store may
/// have objects of them.
class ResourceTable {
 public:
  explicit ResourceTable(const RuntimeConfig& config = {});

  std::span<const Resource> all() const { return resources_; }
  /// Those that clients may use.
  std::span<const Resource> served() const { return served_; }
  /// Null when it is not known.
  const Resource* Find(std::string_view group, std::string_view version,
                       std::string_view plural) const;
  const Resource* FindKind(std::string_view group, std::string_view version,
                           std::string_view kind) const;
  /// Returns true if a resource of this group and version is served.
  bool HasVersion(std::string_view group, std::string_view version) const;
  /// Returns the resource, in its stored version, to which an object's store key belongs.
  const Resource* OfKey(std::string_view key) const;

 private:
  std::vector<Resource> resources_;
  std::vector<Resource> served_;
};

}  // namespace plimsoll::apiserver
