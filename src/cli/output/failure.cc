#include "cli/output/failure.h"

#include <fmt/format.h>

#include <ostream>

#include "cli/output/styled_text.h"

namespace plimsoll::cli {

void PrintError(std::string_view message, const Look& look, std::ostream& err) {
  StyledText text("error:", Style::Bad);
  text.Add(fmt::format(" {}\n", message));
  Write(text, look, err);
}

void PrintWarning(std::string_view message, Context& context) {
  StyledText text("Warning:", Style::Warning);
  text.Add(fmt::format(" {}\n", message));
  Write(text, context.err_look, context.err);
  context.err.flush();
}

int ReportFailure(const Error& error, Context& context) {
  PrintError(error.Text(), context.err_look, context.err);
  const bool is_usage = error.reason == Reason::Invalid || error.reason == Reason::BadRequest;
  return is_usage ? kExitUsage : kExitFindings;
}

int ReportEnd(const Result<service::EndReason>& end, Context& context) {
  if (!end) return ReportFailure(end.error(), context);
  return *end == service::EndReason::LeadershipLost ? kExitFindings : kExitOk;
}

}  // namespace plimsoll::cli
