#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// A document that never changes, and its ETag.
struct DiscoveryDocument {
  std::string json;
  std::string etag;  // including the quotes
};

/// Discovery documents: the served groups, versions and resources. The constructor makes all of
/// them from the table of resources. Immutable and safe for use by many threads.
class Discovery {
 public:
  /// Format of `/api` and `/apis`: names of versions and groups only, or aggregated discovery with
  /// all resources.
  enum class Form : std::uint8_t { Plain, AggregatedV2, AggregatedV2Beta1 };

  /// `server_address` is the address at which clients reach this server: `127.0.0.1:6443`.
  Discovery(std::span<const Resource> resources, std::string_view server_address);

  /// Returns the offered format that an Accept header prefers.
  static Form FormOf(std::string_view accept);
  static std::string_view ContentType(Form form);

  /// Returns the document of `/api`.
  const DiscoveryDocument& Core(Form form) const { return core_.at(form); }
  /// Returns the document of `/apis`.
  const DiscoveryDocument& Groups(Form form) const { return groups_.at(form); }
  /// Returns the document of `/apis/<group>`, or null if the group is not served.
  const DiscoveryDocument* Group(std::string_view group) const;
  /// Returns `/api/v1` (empty group) or `/apis/<group>/<version>`, or null if it is not served.
  const DiscoveryDocument* Version(std::string_view group, std::string_view version) const;

 private:
  std::map<Form, DiscoveryDocument> core_;
  std::map<Form, DiscoveryDocument> groups_;
  std::map<std::string, DiscoveryDocument, std::less<>> group_;
  std::map<std::string, DiscoveryDocument, std::less<>> version_;  // by `group/version`
};

/// Returns true if `a` is preferred to `b`: stable before beta before alpha, then the higher one.
bool IsPreferredVersion(std::string_view a, std::string_view b);

}  // namespace plimsoll::apiserver
