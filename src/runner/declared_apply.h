#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "api/action.h"
#include "api/pure_core.h"
#include "base/result.h"
#include "client/client.h"

namespace plimsoll::runner {

/// Applies objects to a server that may not declare all of their fields. Server-side apply rejects
/// such an object as a whole. So once a server has rejected an object, fields that its OpenAPI
/// document does not declare are removed. Safe for use by many threads.
class DeclaredApply {
 public:
  /// Same as runner::Send, for a patch of the form Apply.
  api::ActionFinished Send(const client::Client& client, const api::PatchObject& apply,
                           const client::Call& call);

 private:
  /// The document is read again, because an upgraded server may declare more.
  static constexpr Duration kReadAgainAfter = std::chrono::minutes(10);

  struct Known {
    client::DeclaredFields fields;
    Instant read_at;
  };

  /// Returns the object without undeclared fields, or unchanged if they are not known.
  std::string Pruned(const api::PatchObject& apply, Instant now);
  /// Returns false if the server does not return the document.
  bool Learn(const client::Client& client, const api::KindDesc& kind, const client::Call& call);

  std::mutex mutex_;
  std::map<const api::KindDesc*, Known> by_kind_;  // guarded by mutex_
};

}  // namespace plimsoll::runner
