#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/status/status.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/request/request_info.h"
#include "apiserver/request/user.h"
#include "apiserver/resource/resource.h"
#include "base/time.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// A request on its way through the server: what was sent, and what is known about it so far.
struct ApiRequest {
  net::Request http;
  net::Target target;
  RequestInfo info;
  User user;
  std::optional<User> impersonator;    // who the certificate or token named, when `user` is another
  const Resource* resource = nullptr;  // of a resource request; null when it is not served
  std::optional<Decision> decision;    // unset: nobody was asked
  std::optional<api::StatusObject> refusal;  // why it was not let in
  Instant received{};
  std::string audit_id;
  std::vector<std::string> warnings;  // become `Warning:` headers of the response
};

}  // namespace plimsoll::apiserver
