#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "agent/action.h"
#include "base/result.h"
#include "client/client.h"

namespace plimsoll::runner {

/// Applies objects to a server that may not declare all of their fields. Server-side apply refuses
/// such an object as a whole; so once a server has refused an object, the fields that its OpenAPI
/// document does not declare are left out. Safe for use by many threads.
class DeclaredApply {
 public:
  Status Send(const client::Client& client, const agent::ApplyObject& apply,
              const client::Call& call);

 private:
  /// A server that is upgraded may declare more.
  static constexpr Duration kReadAgainAfter = std::chrono::minutes(10);

  struct Known {
    client::DeclaredFields fields;
    Instant read_at;
  };

  /// The object without undeclared fields, as far as those are known; otherwise as it is.
  std::string Pruned(const agent::ApplyObject& apply, Instant now);
  /// False: the server does not tell.
  bool Learn(const client::Client& client, const api::KindDesc& kind, const client::Call& call);

  std::mutex mutex_;
  std::map<const api::KindDesc*, Known> by_kind_;  // guarded by mutex_
};

}  // namespace plimsoll::runner
