#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// A document that never changes, with what a client may compare it by.
struct DiscoveryDocument {
  std::string json;
  std::string etag;  // with its quotes
};

/// What clients ask first: which groups, versions and resources there are. All documents are made
/// once, from the table of resources; immutable and safe for use by many threads.
class Discovery {
 public:
  /// How `/api` and `/apis` can be answered: by names of versions and groups alone, or with all
  /// that is in them.
  enum class Form : std::uint8_t { Plain, AggregatedV2, AggregatedV2Beta1 };

  /// `server_address` is where clients reach this server: `127.0.0.1:6443`.
  Discovery(std::span<const Resource> resources, std::string_view server_address);

  /// The form that an Accept header prefers among those that there are.
  static Form FormOf(std::string_view accept);
  static std::string_view ContentType(Form form);

  /// `/api`
  const DiscoveryDocument& Core(Form form) const { return core_.at(form); }
  /// `/apis`
  const DiscoveryDocument& Groups(Form form) const { return groups_.at(form); }
  /// `/apis/<group>`; null when the group is not served.
  const DiscoveryDocument* Group(std::string_view group) const;
  /// `/api/v1`, with the empty group, and `/apis/<group>/<version>`; null when it is not served.
  const DiscoveryDocument* Version(std::string_view group, std::string_view version) const;

 private:
  std::map<Form, DiscoveryDocument> core_;
  std::map<Form, DiscoveryDocument> groups_;
  std::map<std::string, DiscoveryDocument, std::less<>> group_;
  std::map<std::string, DiscoveryDocument, std::less<>> version_;  // by `group/version`
};

/// `v1`, or with its group `apps/v1`.
std::string GroupVersionText(std::string_view group, std::string_view version);

/// Whether version `a` is preferred to `b`: stable before beta before alpha, then the higher one.
bool IsPreferredVersion(std::string_view a, std::string_view b);

/// What tells a client that the stored form of a resource has changed.
std::string StorageVersionHash(const api::KindDesc& stored);

}  // namespace plimsoll::apiserver
