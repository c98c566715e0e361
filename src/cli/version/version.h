#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace plimsoll::cli {

/// Version of this program.
inline constexpr std::string_view kVersion = "v0.1.0";

/// Returns `plimsoll v0.1.0 (Kubernetes API v1.37.0)`.
std::string VersionLine();

struct VersionOptions {
  OutputFormat output = OutputFormat::Text;
};

int RunVersion(const VersionOptions& options, Context& context);

}  // namespace plimsoll::cli
