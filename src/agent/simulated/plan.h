#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agent/runtime.h"
#include "api/core/pod.h"
#include "base/time.h"

namespace plimsoll::agent {

/// What a simulated container does. Annotations say so: those of the pod for one of its containers
/// (`plimsoll.io/run-time.web`), those of the pod for all of them but the init containers
/// (`plimsoll.io/run-time`), those of the node for all its pods; the first that is there counts.
struct Plan {
  Duration start_delay{};             // start-delay: before its first start
  std::optional<Duration> run_time;   // run-time: then it exits; unset: never
  std::int32_t exit_code = 0;         // exit-code
  std::string exit_reason;            // exit-reason: OOMKilled; empty: by the code
  Duration readiness_delay{};         // readiness-delay: after its start
  bool is_ready = true;               // ready: false while it does not serve
  Duration stop_time{};               // stop-time: how long it takes to end when it is asked to
  std::int32_t stop_exit_code = 143;  // stop-exit-code: as a process that SIGTERM ends
  std::string start_failure;          // start-failure: ErrImagePull and the like; empty: it starts
  std::string crash;  // crash: when it changes to another text, the container crashes
};

struct PlanDefaults {
  /// Of containers that do their work and end: pods of a Job.
  Duration job_run_time = std::chrono::seconds(1);
};

/// Invalid: an annotation that cannot be read, named in the message.
Result<Plan> ReadPlan(const ContainerStart& start, const PlanDefaults& defaults);

/// Takes in what the pod's annotations say by now. What cannot be read stays as it is.
void UpdatePlan(Plan& plan, const api::Pod& pod, std::string_view container, bool is_init);

const api::Container& ContainerOf(const ContainerStart& start);

}  // namespace plimsoll::agent
