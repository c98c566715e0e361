#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// Version of this program.
inline constexpr std::string_view kVersion = "v0.1.0";

struct VersionOptions {
  std::string output = "text";  // text, json or yaml
};

int RunVersion(const VersionOptions& options, Context& context);

}  // namespace plimsoll::cli
