#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/schema.h"
#include "apiserver/resource/runtime_config.h"

namespace plimsoll::apiserver {

/// A resource in one served version: a row of the table from which routes, discovery, OpenAPI and
/// the cache are made.
struct Resource {
  const api::KindDesc* kind = nullptr;         // served kind
  const api::KindDesc* stored = nullptr;       // stored kind; differs for events.k8s.io/v1
  std::string prefix;                          // of its store keys: /registry/pods/
  std::vector<std::string_view> subresources;  // served ones: status, scale, binding, …
  bool is_review = false;                      // never stored: subjectaccessreviews
  bool is_served = true;                       // false: disabled by RuntimeConfig

  std::string_view group() const { return kind->group; }
  std::string_view name() const { return kind->plural; }
  /// True for namespaces, which are in their own namespace and have their own deletion rules.
  bool is_namespaces() const { return group().empty() && name() == "namespaces"; }
  /// True if objects are stored; reviews and bindings are not.
  bool is_stored() const { return !prefix.empty(); }
  bool Serves(std::string_view subresource) const;
  bool Allows(std::string_view verb) const;

  /// Returns a store key: /registry/pods/default/web.
  std::string KeyOf(std::string_view namespace_, std::string_view object) const;
};

/// All resources that this server knows: every described kind with a plural, except unsupported
/// ones. Includes resources that RuntimeConfig disables, as the store may hold objects of them.
/// Immutable.
class ResourceTable {
 public:
  explicit ResourceTable(const RuntimeConfig& config = {});

  std::span<const Resource> all() const { return resources_; }
  /// Resources that clients may use.
  std::span<const Resource> served() const { return served_; }
  /// Resources that discovery lists: the served ones, and those of MetricsKinds.
  std::span<const Resource> discovered() const { return discovered_; }
  /// Also finds the resources of MetricsKinds. Returns null if the resource is unknown.
  const Resource* Find(std::string_view group, std::string_view version,
                       std::string_view plural) const;
  const Resource* FindKind(std::string_view group, std::string_view version,
                           std::string_view kind) const;
  /// Returns the resource, in its stored version, to which an object's store key belongs.
  const Resource* OfKey(std::string_view key) const;

 private:
  std::vector<Resource> resources_;
  std::vector<Resource> served_;
  std::vector<Resource> metrics_;
  std::vector<Resource> discovered_;
};

}  // namespace plimsoll::apiserver
