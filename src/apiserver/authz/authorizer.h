#pragma once

#include <string>

#include "apiserver/request/request_info.h"
#include "apiserver/request/user.h"

namespace plimsoll::apiserver {

struct Decision {
  bool is_allowed = false;
  std::string reason;  // for SubjectAccessReview and the audit log
};

/// Says who may do what. Safe for use by many threads.
class Authorizer {
 public:
  virtual ~Authorizer() = default;
  virtual Decision Authorize(const User& user, const RequestInfo& what) const = 0;
};

/// `User "jane" cannot list resource "pods" in API group "" in the namespace "default"`, what a
/// refused client reads.
std::string ForbiddenText(const User& user, const RequestInfo& what);

}  // namespace plimsoll::apiserver
