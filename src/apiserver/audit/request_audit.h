#pragma once

#include "apiserver/audit/audit_log.h"
#include "apiserver/server/api_server.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

/// Writes a line for every answer: of a watch one when it begins and one when it ends.
class RequestAudit final : public RequestObserver {
 public:
  /// Both must outlive it.
  RequestAudit(AuditLog& log, const Clock& clock) : log_(log), clock_(clock) {}

  void OnAnswer(const ApiRequest& request, int code) override;
  void OnWatchEnd(const ApiRequest& request) override;

 private:
  AuditLog& log_;
  const Clock& clock_;
};

}  // namespace plimsoll::apiserver
