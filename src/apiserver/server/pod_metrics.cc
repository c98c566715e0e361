#include "apiserver/server/pod_metrics.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <iterator>
#include <optional>
#include <string_view>

#include "api/core/pod_condition.h"
#include "base/time.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::array<std::string_view, 5> kPhases = {"Pending", "Succeeded", "Failed", "Unknown",
                                                     "Running"};

std::string LabelsOf(const StoredObject& pod) {
  return fmt::format(R"(namespace="{}",pod="{}",uid="{}")", pod.namespace_(), pod.name(),
                     pod.uid());
}

std::optional<Instant> TimeScheduled(const StoredObject& pod) {
  const auto object = pod.Decode();
  if (!object) return std::nullopt;
  const auto condition = api::FindCondition(**object, "PodScheduled");
  if (!condition || condition->status != "True") return std::nullopt;
  const Result<Instant> time = ParseTime(condition->last_transition_time);
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

std::string PodMetricsText(std::span<const ObjectPtr> pods) {
  std::string text =
      "# HELP kube_pod_status_phase The phase a pod is in.\n"
      "# TYPE kube_pod_status_phase gauge\n";
  for (const ObjectPtr& pod : pods) {
    const std::string labels = LabelsOf(*pod);
    const std::string_view phase = pod->Field("status.phase");
    for (const std::string_view one : kPhases) {
      fmt::format_to(std::back_inserter(text), "kube_pod_status_phase{{{},phase=\"{}\"}} {}\n",
                     labels, one, one == phase ? 1 : 0);
    }
  }
  text +=
      "# HELP kube_pod_status_scheduled_time Time at which the pod was scheduled, in seconds since "
      "1970.\n"
      "# TYPE kube_pod_status_scheduled_time gauge\n";
  for (const ObjectPtr& pod : pods) {
    const std::optional<Instant> time = TimeScheduled(*pod);
    if (!time) continue;
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time->time_since_epoch());
    fmt::format_to(std::back_inserter(text), "kube_pod_status_scheduled_time{{{}}} {}\n",
                   LabelsOf(*pod), seconds.count());
  }
  return text;
}

}  // namespace plimsoll::apiserver
