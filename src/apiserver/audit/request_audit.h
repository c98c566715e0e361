#pragma once

#include <optional>
#include <string_view>

#include "apiserver/audit/audit_event.h"
#include "apiserver/audit/audit_log.h"
#include "apiserver/audit/audit_policy.h"
#include "apiserver/server/api_server.h"
#include "base/clock.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

enum class AuditFormat : std::uint8_t { Json, Legacy };

struct AuditOptions {
  std::string policy_file;  // empty: AuditPolicy::Default
  AuditLogOptions log;      // empty path: no audit
  AuditFormat format = AuditFormat::Json;
  bool is_truncating = false;
  std::size_t event_bytes_max = 100 << 10;  // limit when truncating; larger ones are lost
};

/// Writes the audit events that the policy requires. Safe for use by many threads.
class RequestAudit final : public RequestObserver {
 public:
  /// The references must outlive this object.
  RequestAudit(const AuditOptions& options, AuditPolicy policy, AuditLog& log, const Clock& clock,
               MetricsRegistry& metrics);

  bool OnReceived(ApiRequest& request) override;
  void OnAnswer(const ApiRequest& request, net::Response& response) override;
  void OnWatchBegin(const ApiRequest& request, int code) override;
  void OnWatchEnd(const ApiRequest& request) override;

 private:
  class RecordedBody;

  /// Writes the event unless the policy omits its stage. Returns false if it is known to be lost.
  bool Write(const ApiRequest& request, AuditEvent event);
  /// Writes the event of a request whose authentication failed.
  void WriteUnauthenticated(const ApiRequest& request, const net::Response& response);
  void CountLevel(AuditLevel level);

  const AuditOptions options_;
  const AuditPolicy policy_;
  AuditLog& log_;
  const Clock& clock_;
  Counter events_;
  Counter rejected_;
  std::vector<Counter> levels_;  // by AuditLevel
};

}  // namespace plimsoll::apiserver
