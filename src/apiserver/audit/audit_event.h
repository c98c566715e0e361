#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/audit/audit_record.h"
#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// One event about a request.
struct AuditEvent {
  AuditStage stage = AuditStage::ResponseComplete;
  int code = 0;               // of the response; 0: there is none yet
  std::string status_json;    // the response's Status, if it is one; otherwise empty
  std::string response_json;  // compact JSON of the response's object; empty: none
  bool is_truncated = false;  // the objects were left out because they are too large
  Instant now{};
};

/// Returns an `audit.k8s.io/v1` Event as one line of JSON with its end, members in upstream's
/// order. The request's record says how much it holds; without a record it holds metadata only.
std::string AuditLine(const ApiRequest& request, const AuditEvent& event);

/// Returns an event as upstream's format `legacy`: one line of text, metadata only.
std::string LegacyAuditLine(const ApiRequest& request, const AuditEvent& event);

/// Returns where a request came from: what proxies say, and last the address that the server
/// itself saw.
std::vector<std::string> SourceIps(const net::Request& request);

/// Returns upstream's message about a request that nobody authenticated: `Authentication failed,
/// attempted: bearer`, without any part of the credentials.
std::string FailedAuthenticationMessage(const ApiRequest& request);

}  // namespace plimsoll::apiserver
