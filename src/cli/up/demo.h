#pragma once

#include <string_view>

namespace plimsoll::cli {

/// Contents of `plimsoll up --demo`: examples/demo, embedded at build time, so that it is the
/// same wherever the program is installed.
extern const std::string_view kDemoNodeTemplate;
extern const std::string_view kDemoWorkloads;

inline constexpr int kDemoNodes = 20;

/// Names in the demo.
inline constexpr std::string_view kDemoTaint = "failure-probability";
inline constexpr std::string_view kDemoPayments = "payment-processor";
inline constexpr std::string_view kDemoBatch = "batch";

}  // namespace plimsoll::cli
