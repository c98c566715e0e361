#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agent/runtime.h"
#include "api/core/pod.h"
#include "base/time.h"

namespace plimsoll::agent {

/// Behaviour of a simulated container, from annotations. Their order of precedence: the pod's for
/// one container (`plimsoll.io/run-time.web`), the pod's for all containers except init containers
/// (`plimsoll.io/run-time`), the node's for all its pods.
struct Plan {
  Duration start_delay{};             // start-delay: before its first start
  std::optional<Duration> run_time;   // run-time: then it exits; unset: never
  std::int32_t exit_code = 0;         // exit-code
  std::string exit_reason;            // exit-reason, such as OOMKilled; empty: from the code
  Duration readiness_delay{};         // readiness-delay: after its start
  bool is_ready = true;               // ready: false while it is not ready
  Duration stop_time{};               // stop-time: time it needs to end after a stop request
  std::int32_t stop_exit_code = 143;  // stop-exit-code: 143 as after SIGTERM
  std::string start_failure;          // start-failure: such as ErrImagePull; empty: it starts
  std::string crash;                  // crash: the container crashes when this text changes
};

struct PlanDefaults {
  /// Run time of containers that end by themselves: those of a Job's pods.
  Duration job_run_time = std::chrono::seconds(1);
};

/// Invalid: an annotation cannot be parsed; the message names it.
Result<Plan> ReadPlan(const ContainerStart& start, const PlanDefaults& defaults);

/// Updates the plan from the pod's annotations. Ignores annotations that cannot be parsed.
void UpdatePlan(Plan& plan, const api::Pod& pod, std::string_view container, bool is_init);

const api::Container& ContainerOf(const ContainerStart& start);

}  // namespace plimsoll::agent
