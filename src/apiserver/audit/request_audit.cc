#include "apiserver/audit/request_audit.h"

#include "apiserver/audit/audit_event.h"

namespace plimsoll::apiserver {

void RequestAudit::OnAnswer(const ApiRequest& request, int code) {
  const bool is_watch = request.info.verb == "watch" && code == 200;
  log_.Write(AuditLine(
      request, {.stage = is_watch ? AuditStage::ResponseStarted : AuditStage::ResponseComplete,
                .code = code,
                .now = clock_.Now()}));
}

void RequestAudit::OnWatchEnd(const ApiRequest& request) {
  log_.Write(AuditLine(request,
                       {.stage = AuditStage::ResponseComplete, .code = 200, .now = clock_.Now()}));
}

}  // namespace plimsoll::apiserver
