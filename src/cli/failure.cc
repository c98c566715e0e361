#include "cli/failure.h"

#include <ostream>

namespace plimsoll::cli {

int ReportFailure(const Error& error, Context& context) {
  context.err << "error: " << error.Text() << '\n';
  const bool is_usage = error.reason == Reason::Invalid || error.reason == Reason::BadRequest;
  return is_usage ? kExitUsage : kExitFindings;
}

}  // namespace plimsoll::cli
