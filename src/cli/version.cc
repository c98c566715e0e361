#include "cli/version.h"

namespace plimsoll::cli {

std::string_view Version() { return "v0.1.0"; }

}  // namespace plimsoll::cli
