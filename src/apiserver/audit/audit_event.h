#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/audit/audit_record.h"
#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// One audit event of a request.
struct AuditEvent {
  AuditStage stage = AuditStage::ResponseComplete;
  int code = 0;               // of the response; 0: none yet
  std::string status_json;    // Status in the response; empty: none
  std::string response_json;  // compact JSON of the object in the response; empty: none
  bool is_truncated = false;  // the objects were omitted because they are too large
  Instant now{};
};

/// Returns an `audit.k8s.io/v1` Event as one line of JSON with a line end, members in upstream's
/// order. The request's record sets the level of detail; without a record it has metadata only.
std::string AuditLine(const ApiRequest& request, const AuditEvent& event);

/// Returns an event in upstream's format `legacy`: one line of text, metadata only.
std::string LegacyAuditLine(const ApiRequest& request, const AuditEvent& event);

/// Returns the source addresses of a request: those in the headers of proxies, then the address of
/// the connection.
std::vector<std::string> SourceIps(const net::Request& request);

/// Returns upstream's message about an unauthenticated request: `Authentication failed, attempted:
/// bearer`, without any part of the credentials.
std::string FailedAuthenticationMessage(const ApiRequest& request);

}  // namespace plimsoll::apiserver
