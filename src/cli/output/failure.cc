#include "cli/output/failure.h"

#include <ostream>

namespace plimsoll::cli {

int ReportFailure(const Error& error, Context& context) {
  context.err << "error: " << error.Text() << '\n';
  const bool is_usage = error.reason == Reason::Invalid || error.reason == Reason::BadRequest;
  return is_usage ? kExitUsage : kExitFindings;
}

int ReportEnd(const Result<service::EndReason>& end, Context& context) {
  if (!end) return ReportFailure(end.error(), context);
  return *end == service::EndReason::LeadershipLost ? kExitFindings : kExitOk;
}

}  // namespace plimsoll::cli
