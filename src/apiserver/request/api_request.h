#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/status/status.h"
#include "apiserver/audit/audit_record.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/request/parse_request.h"
#include "apiserver/request/request_info.h"
#include "apiserver/request/request_seat.h"
#include "apiserver/request/user.h"
#include "apiserver/request/user_budget.h"
#include "apiserver/resource/resource.h"
#include "base/time.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// A request on its way through the server. The parsed part never changes; authentication,
/// authorization and handlers add the rest.
struct ApiRequest {
  ApiRequest() = default;
  ApiRequest(net::Request sent, ParsedRequest parsed)
      : http(std::move(sent)),
        target(std::move(parsed.target)),
        info(std::move(parsed.info)),
        resource(parsed.resource),
        is_verb_served(parsed.is_verb_served),
        refusal(std::move(parsed.refusal)) {}

  net::Request http;
  const net::Target target;
  const RequestInfo info;
  const Resource* const resource = nullptr;  // null: not a resource request, or not served
  const bool is_verb_served = false;

  User user;
  bool is_sender_known = false;              // `user` is authenticated or anonymous
  bool is_user_final = false;                // impersonation, if requested, was allowed
  std::optional<User> impersonator;          // the sender, if `user` is impersonated
  std::optional<Decision> decision;          // unset: not authorized yet
  std::optional<api::StatusObject> refusal;  // error response; no later step handles the request
  Instant received{};
  std::string audit_id;
  std::shared_ptr<AuditRecord> audit;       // null: audit is off, or not authenticated yet
  std::optional<BudgetShare> budget_share;  // released with the request
  RequestSeat* seat = nullptr;              // null: the request takes no seat
  std::vector<std::string> warnings;        // become `Warning:` headers of the response
};

}  // namespace plimsoll::apiserver
