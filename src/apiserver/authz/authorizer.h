#pragma once

#include <string>
#include <string_view>

#include "apiserver/request/request_info.h"
#include "apiserver/request/user.h"
#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

struct Decision {
  bool is_allowed = false;
  std::string reason;      // for SubjectAccessReview and the audit log
  bool is_denied = false;  // the chain skips later authorizers
};

/// Authorizes requests. Safe for use by many threads.
class Authorizer {
 public:
  virtual ~Authorizer() = default;
  virtual Decision Authorize(const User& user, const RequestInfo& what) const = 0;
};

/// Returns true if the user may `get` every object of the resource, or `list` all of them, in all
/// namespaces.
bool MayRead(const Authorizer& authorizer, const User& user, std::string_view verb,
             const Resource& resource);

}  // namespace plimsoll::apiserver
