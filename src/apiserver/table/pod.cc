#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/core/pod_phase.h"
#include "apiserver/table/age.h"
#include "apiserver/table/printers.h"
#include "base/time_arithmetic.h"

namespace plimsoll::apiserver {
namespace {

/// Values of the columns of a pod.
class PodSummary {
 public:
  explicit PodSummary(const Source& pod) : pod_(pod) {
    total_ = pod.Size("spec.containers");
    for (const codec::Value& container : pod.Items("spec.initContainers")) {
      if (IsSidecar(pod.In(container))) ++total_;
    }
    status_ = FirstStatus();
    const bool is_initializing = ReadInitContainers();
    if (!is_initializing || pod.Condition("Initialized") == "True") ReadContainers();
    if (pod.IsBeingDeleted()) {
      if (pod.Text("status.reason") == "NodeLost") {
        status_ = "Unknown";
      } else if (!api::IsPodPhaseTerminal(pod.Text("status.phase"))) {
        status_ = "Terminating";
      }
    }
  }

  std::string Ready() const { return fmt::format("{}/{}", ready_, total_); }
  const std::string& status() const { return status_; }
  std::string Restarts() const {
    if (all_.count == 0 || !all_.last) return std::to_string(all_.count);
    return fmt::format("{} ({} ago)", all_.count,
                       HumanDuration(TimeBetween(*all_.last, pod_.now())));
  }

 private:
  struct Restarted {
    std::int64_t count = 0;
    std::optional<Instant> last;

    void Add(const Source& container) {
      count += container.Int("restartCount");
      const auto finished = ParseTime(container.Text("lastState.terminated.finishedAt"));
      if (finished && (!last || *last < *finished)) last = *finished;
    }
  };

  static bool IsSidecar(const Source& container) {
    return container.Text("restartPolicy") == "Always";
  }

  std::string FirstStatus() const {
    for (const codec::Value& item : pod_.Items("status.conditions")) {
      const Source condition = pod_.In(item);
      if (condition.Text("type") == "PodScheduled" &&
          condition.Text("reason") == "SchedulingGated") {
        return "SchedulingGated";
      }
    }
    return std::string(pod_.Text("status.reason", "status.phase"));
  }

  /// Returns the reason why a container terminated, as in the STATUS column.
  static std::string EndOf(const Source& container) {
    const std::string_view reason = container.Text("state.terminated.reason");
    if (!reason.empty()) return std::string(reason);
    const std::int64_t signal = container.Int("state.terminated.signal");
    if (signal != 0) return fmt::format("Signal:{}", signal);
    return fmt::format("ExitCode:{}", container.Int("state.terminated.exitCode"));
  }

  bool IsSidecarNamed(std::string_view name) const {
    return std::ranges::any_of(pod_.Items("spec.initContainers"), [&](const codec::Value& item) {
      return pod_.In(item).Text("name") == name && IsSidecar(pod_.In(item));
    });
  }

  /// Reads init containers up to the first unfinished one. Returns true if there is one.
  bool ReadInitContainers() {
    std::size_t index = 0;
    for (const codec::Value& item : pod_.Items("status.initContainerStatuses")) {
      const Source container = pod_.In(item);
      const bool is_sidecar = IsSidecarNamed(container.Text("name"));
      all_.Add(container);
      if (is_sidecar) sidecars_.Add(container);
      const bool has_ended = container.Find("state.terminated") != nullptr;
      const bool is_done = has_ended && container.Int("state.terminated.exitCode") == 0;
      const bool is_up = is_sidecar && container.Bool("started");
      if (!is_done && is_up && container.Bool("ready")) ++ready_;
      if (!is_done && !is_up) {
        const std::string_view waiting = container.Text("state.waiting.reason");
        if (has_ended) {
          status_ = "Init:" + EndOf(container);
        } else if (!waiting.empty() && waiting != "PodInitializing") {
          status_ = fmt::format("Init:{}", waiting);
        } else {
          status_ = fmt::format("Init:{}/{}", index, pod_.Size("spec.initContainers"));
        }
        return true;
      }
      ++index;
    }
    return false;
  }

  void ReadContainers() {
    all_ = sidecars_;
    bool has_running = false;
    std::string failure;
    const auto statuses = pod_.Items("status.containerStatuses");
    for (auto item = statuses.rbegin(); item != statuses.rend(); ++item) {
      const Source container = pod_.In(*item);
      all_.Add(container);
      const std::string_view waiting = container.Text("state.waiting.reason");
      if (!waiting.empty()) {
        status_ = waiting;
      } else if (container.Find("state.terminated") != nullptr) {
        status_ = EndOf(container);
        if (container.Int("state.terminated.exitCode") != 0) failure = status_;
      } else if (container.Bool("ready") && container.Find("state.running") != nullptr) {
        has_running = true;
        ++ready_;
      }
    }
    // A completed container does not determine the status of the others.
    if (status_ != "Completed") return;
    if (has_running && pod_.Condition("Ready") == "True") {
      status_ = "Running";
    } else if (!failure.empty()) {
      status_ = failure;
    } else if (has_running) {
      status_ = "NotReady";
    }
  }

  const Source& pod_;
  std::size_t total_ = 0;
  std::size_t ready_ = 0;
  Restarted all_;
  Restarted sidecars_;
  std::string status_;
};

std::string ReadinessGates(const Source& pod) {
  const auto gates = pod.Items("spec.readinessGates");
  if (gates.empty()) return "<none>";
  const auto open = std::ranges::count_if(gates, [&](const codec::Value& gate) {
    return pod.Condition(pod.In(gate).Text("conditionType")) == "True";
  });
  return fmt::format("{}/{}", open, gates.size());
}

std::string_view OrNone(std::string_view text) { return text.empty() ? "<none>" : text; }

}  // namespace

void PrintPod(const Source& object, Cells& cells) {
  const PodSummary summary(object);
  std::string_view ip = object.Text("status.podIP");
  if (const auto ips = object.Items("status.podIPs"); !ips.empty()) {
    ip = object.In(ips.front()).Text("ip");
  }
  cells.Text(object.Name());
  cells.Text(summary.Ready());
  cells.Text(summary.status());
  cells.Text(summary.Restarts());
  cells.Text(object.Age());
  cells.Text(OrNone(ip));
  cells.Text(OrNone(object.Text("spec.nodeName")));
  cells.Text(OrNone(object.Text("status.nominatedNodeName")));
  cells.Text(ReadinessGates(object));
}

}  // namespace plimsoll::apiserver
