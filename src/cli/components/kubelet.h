#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "runner/components.h"
#include "service/secure_serving.h"

namespace plimsoll::cli {

struct KubeletOptions {
  std::string kubeconfig;
  std::string feature_gates;
  std::size_t nodes = 1;
  std::string node_template;       // a file; empty: use the text
  std::string node_template_text;  // empty: the built-in one
  std::int64_t first_node = 0;
  bool adopts = false;
  std::string node_cidr = "172.16.0.0/12";
  std::string pod_cidr = "10.64.0.0/10";
  std::string lease_renewal = "10s";
  std::string job_run_time = "1s";
  double event_qps = 100;
  double event_burst = 1000;
  service::SecureServingOptions serving{.port = 10250};
};

/// Reads the node template, and returns the options of an agent runner. Logs deprecated
/// annotations.
Result<runner::AgentRunnerOptions> RunnerOptionsOf(const KubeletOptions& options, Logger& log);

/// Simulates nodes until SIGINT or SIGTERM.
int RunKubelet(const KubeletOptions& options, Context& context);

}  // namespace plimsoll::cli
