#pragma once

#include <string_view>

namespace plimsoll::cli {

/// What `plimsoll up --demo` runs: examples/living, which the build puts into the program, so that
/// it shows the same wherever it is installed.
extern const std::string_view kDemoNodeTemplate;
extern const std::string_view kDemoWorkloads;

inline constexpr int kDemoNodes = 20;

}  // namespace plimsoll::cli
