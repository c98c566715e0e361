#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// How far a request has come when it is written down.
enum class AuditStage : std::uint8_t {
  ResponseStarted,   // a watch has begun
  ResponseComplete,  // all was sent
};

struct AuditOutcome {
  AuditStage stage = AuditStage::ResponseComplete;
  int code = 0;
  Instant now{};
};

/// An `audit.k8s.io/v1` Event at the level Metadata, as one line of JSON with its end: who asked
/// for what, and what came of it; never what was written or read.
std::string AuditLine(const ApiRequest& request, const AuditOutcome& outcome);

/// Where a request came from: what proxies say, and last the address that the server itself saw.
std::vector<std::string> SourceIps(const net::Request& request);

}  // namespace plimsoll::apiserver
