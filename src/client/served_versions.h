#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/schema/schema.h"
#include "api/status/status.h"
#include "base/result.h"

namespace plimsoll::client {

/// Returns the versions of a kind that have the same fields, in the order of the schema. A request
/// may use any of them.
std::vector<const api::KindDesc*> AlikeVersions(const api::KindDesc& kind);

/// Returns true if the server has no such path. A 404 that names an object is about that object.
bool IsUnservedPath(const api::StatusObject& refusal);

/// Returns the versions in an APIGroup document, in the server's order of preference.
Result<std::vector<std::string>> ReadGroupVersions(std::string document);
/// Returns true if an APIResourceList document has this resource.
Result<bool> HasResource(std::string document, std::string_view plural);

/// Returns the body with the apiVersion of `to` if it has that of `from`; otherwise unchanged.
std::string BodyInVersion(std::string json, const api::KindDesc& from, const api::KindDesc& to);

/// The version of each kind that a server serves, learned from requests. Safe for use by many
/// threads.
class ServedVersions {
 public:
  /// Returns the kind itself if nothing else is known.
  const api::KindDesc& Of(const api::KindDesc& kind) const;
  void Learn(const api::KindDesc& served);

 private:
  mutable std::mutex mutex_;
  // By group and kind; guarded by mutex_.
  std::map<std::pair<std::string_view, std::string_view>, const api::KindDesc*> by_kind_;
};

}  // namespace plimsoll::client
