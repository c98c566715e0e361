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

/// The same kind in all versions that have the same fields, in the order of the schema. A request
/// may go to any of them.
std::vector<const api::KindDesc*> AlikeVersions(const api::KindDesc& kind);

/// True: the server has no such path. A 404 that names an object is about that object instead.
bool IsUnservedPath(const api::StatusObject& refusal);

/// The versions in an APIGroup document, in the server's order of preference.
Result<std::vector<std::string>> ReadGroupVersions(std::string document);
/// True if an APIResourceList document has that resource.
Result<bool> HasResource(std::string document, std::string_view plural);

/// The body with the apiVersion of `to` where it has that of `from`; otherwise the body as it is.
std::string BodyInVersion(std::string json, const api::KindDesc& from, const api::KindDesc& to);

/// The version that a server serves of each kind, as far as requests have shown it. Safe for use
/// by many threads.
class ServedVersions {
 public:
  /// The kind itself while nothing else is known.
  const api::KindDesc& Of(const api::KindDesc& kind) const;
  void Learn(const api::KindDesc& served);

 private:
  mutable std::mutex mutex_;
  // By group and kind; guarded by mutex_.
  std::map<std::pair<std::string_view, std::string_view>, const api::KindDesc*> by_kind_;
};

}  // namespace plimsoll::client
