#include <fmt/format.h>

#include "apiserver/table/age.h"
#include "apiserver/table/printers.h"
#include "base/text/ascii.h"
#include "base/time_arithmetic.h"

namespace plimsoll::apiserver {
namespace {

/// Prints names and images of the containers, which all workloads have as columns.
void PrintContainers(const Source& object, std::string_view path, Cells& cells) {
  std::vector<std::string> names;
  std::vector<std::string> images;
  for (const codec::Value& item : object.Items(path)) {
    names.emplace_back(object.In(item).Text("name"));
    images.emplace_back(object.In(item).Text("image"));
  }
  cells.Text(Join(names));
  cells.Text(Join(images));
}

constexpr std::string_view kContainers = "spec.template.spec.containers";

void PrintReplicas(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Int(object.Int("spec.replicas"));
  cells.Int(object.Int("status.replicas"));
  cells.Int(object.Int("status.readyReplicas"));
  cells.Text(object.Age());
  PrintContainers(object, kContainers, cells);
}

std::string ReadyOfDesired(const Source& object) {
  return fmt::format("{}/{}", object.Int("status.readyReplicas"), object.Int("spec.replicas"));
}

std::string_view JobStatus(const Source& job) {
  const auto has = [&](std::string_view type) { return job.Condition(type) == "True"; };
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (job.IsBeingDeleted()) return "Terminating";
  for (const std::string_view type : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (has(type)) return type;
  }
  return "Running";
}

std::string JobCompletions(const Source& job) {
  const std::int64_t succeeded = job.Int("status.succeeded");
  if (job.Find("spec.completions") != nullptr) {
    return fmt::format("{}/{}", succeeded, job.Int("spec.completions"));
  }
  const std::int64_t parallelism = job.Int("spec.parallelism");
  if (parallelism > 1) return fmt::format("{}/1 of {}", succeeded, parallelism);
  return fmt::format("{}/1", succeeded);
}

std::string JobDuration(const Source& job) {
  const auto start = ParseTime(job.Text("status.startTime"));
  if (!start) return "";
  const auto end = ParseTime(job.Text("status.completionTime"));
  return HumanDuration(TimeBetween(*start, end ? *end : job.now()));
}

/// Returns the controlling owner: `deployment.apps/web`.
std::string ControllerOf(const Source& object) {
  for (const codec::Value& item : object.Items("metadata.ownerReferences")) {
    const Source owner = object.In(item);
    if (!owner.Bool("controller")) continue;
    const std::string_view version = owner.Text("apiVersion");
    const std::size_t slash = version.find('/');
    std::string kind(owner.Text("kind"));
    if (slash != std::string_view::npos) kind += fmt::format(".{}", version.substr(0, slash));
    return fmt::format("{}/{}", Lowered(kind), owner.Text("name"));
  }
  return "<none>";
}

}  // namespace

void PrintReplicationController(const Source& object, Cells& cells) {
  PrintReplicas(object, cells);
  cells.Text(FormatLabels(object.Find("spec.selector")));
}

void PrintReplicaSet(const Source& object, Cells& cells) {
  PrintReplicas(object, cells);
  cells.Text(FormatSelector(object.Find("spec.selector")));
}

void PrintDeployment(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(ReadyOfDesired(object));
  cells.Int(object.Int("status.updatedReplicas"));
  cells.Int(object.Int("status.availableReplicas"));
  cells.Text(object.Age());
  PrintContainers(object, kContainers, cells);
  cells.Text(FormatSelector(object.Find("spec.selector")));
}

void PrintStatefulSet(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(ReadyOfDesired(object));
  cells.Text(object.Age());
  PrintContainers(object, kContainers, cells);
}

void PrintDaemonSet(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Int(object.Int("status.desiredNumberScheduled"));
  cells.Int(object.Int("status.currentNumberScheduled"));
  cells.Int(object.Int("status.numberReady"));
  cells.Int(object.Int("status.updatedNumberScheduled"));
  cells.Int(object.Int("status.numberAvailable"));
  cells.Text(FormatLabels(object.Find("spec.template.spec.nodeSelector")));
  cells.Text(object.Age());
  PrintContainers(object, kContainers, cells);
  cells.Text(FormatSelector(object.Find("spec.selector")));
}

void PrintControllerRevision(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(ControllerOf(object));
  cells.Int(object.Int("revision"));
  cells.Text(object.Age());
}

void PrintJob(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(JobStatus(object));
  cells.Text(JobCompletions(object));
  cells.Text(JobDuration(object));
  cells.Text(object.Age());
  PrintContainers(object, kContainers, cells);
  cells.Text(FormatSelector(object.Find("spec.selector")));
}

}  // namespace plimsoll::apiserver
