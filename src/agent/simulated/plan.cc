#include "agent/simulated/plan.h"

#include <fmt/format.h>

#include <charconv>

#include "api/meta/own_annotation.h"
#include "base/go_duration.h"

namespace plimsoll::agent {
namespace {

bool Read(std::string_view text, Duration& out) {
  const std::optional<Duration> duration = ParseGoDuration(text);
  if (!duration || *duration < Duration::zero()) return false;
  out = *duration;
  return true;
}
bool Read(std::string_view text, std::optional<Duration>& out) {
  Duration duration{};
  if (text == "forever") {
    out.reset();
    return true;
  }
  if (!Read(text, duration)) return false;
  out = duration;
  return true;
}
bool Read(std::string_view text, std::int32_t& out) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0 || number > 255) {
    return false;
  }
  out = number;
  return true;
}
bool Read(std::string_view text, bool& out) {
  if (text != "true" && text != "false") return false;
  out = text == "true";
  return true;
}
bool Read(std::string_view text, std::string& out) {
  out = text;
  return true;
}

// Form of a value of each type, for errors.
constexpr std::string_view FormOf(const Duration& /*value*/) { return "a duration such as 10s"; }
constexpr std::string_view FormOf(const std::optional<Duration>& /*value*/) {
  return "a duration such as 10s, or forever";
}
constexpr std::string_view FormOf(const std::int32_t& /*value*/) {
  return "a number from 0 to 255";
}
constexpr std::string_view FormOf(const bool& /*value*/) { return "true or false"; }
constexpr std::string_view FormOf(const std::string& /*value*/) { return "a text"; }

/// Sets the field of the plan that the key names. Ignores unknown keys. Returns the expected form
/// of the value if it cannot be parsed, else "".
std::string_view Set(Plan& plan, std::string_view key, std::string_view text) {
  const auto read = [text](auto& field) {
    return Read(text, field) ? std::string_view() : FormOf(field);
  };
  if (key == "start-delay") return read(plan.start_delay);
  if (key == "run-time") return read(plan.run_time);
  if (key == "exit-code") return read(plan.exit_code);
  if (key == "exit-reason") return read(plan.exit_reason);
  if (key == "readiness-delay") return read(plan.readiness_delay);
  if (key == "ready") return read(plan.is_ready);
  if (key == "stop-time") return read(plan.stop_time);
  if (key == "stop-exit-code") return read(plan.stop_exit_code);
  if (key == "start-failure") return read(plan.start_failure);
  if (key == "crash") return read(plan.crash);
  return {};
}

/// Applies annotations `<prefix><key><suffix>`. Returns an error for the first invalid one, or "".
std::string Apply(Plan& plan, const api::StringMap& annotations, std::string_view suffix) {
  std::string fault;
  for (const auto& [key, text] : annotations) {
    std::optional<std::string_view> name = api::OwnAnnotationName(key);
    if (!name || !name->ends_with(suffix)) continue;
    name->remove_suffix(suffix.size());
    const std::string_view form = Set(plan, *name, text);
    if (!form.empty() && fault.empty()) {
      fault = fmt::format("annotation {}: want {}, got '{}'", key, form, text);
    }
  }
  return fault;
}

bool IsOfJob(const api::ObjectMeta& pod) {
  for (const api::OwnerReference& owner : pod.owner_references) {
    if (owner.controller.value_or(false)) return owner.kind == "Job";
  }
  return false;
}

}  // namespace

const api::Container& ContainerOf(const ContainerStart& start) {
  const api::PodSpec& spec = start.pod->As<api::Pod>()->spec;
  const std::size_t index = start.key.container;
  return index < spec.init_containers.size() ? spec.init_containers[index]
                                             : spec.containers[index - spec.init_containers.size()];
}

Result<Plan> ReadPlan(const ContainerStart& start, const PlanDefaults& defaults) {
  Plan plan;
  const api::Pod& pod = *start.pod->As<api::Pod>();
  if (start.is_init) {
    plan.run_time = Duration::zero();
  } else if (IsOfJob(pod.metadata) && pod.spec.restart_policy != "Always") {
    plan.run_time = defaults.job_run_time;
  }
  std::string fault;
  const auto apply = [&](const api::StringMap& annotations, std::string_view suffix) {
    std::string found = Apply(plan, annotations, suffix);
    if (fault.empty()) fault = std::move(found);
  };
  if (!start.is_init) {
    apply(start.node->metadata().annotations, {});
    apply(pod.metadata.annotations, {});
  }
  apply(pod.metadata.annotations, fmt::format(".{}", ContainerOf(start).name));
  if (!fault.empty()) return Fail(Reason::Invalid, fault);
  return plan;
}

void UpdatePlan(Plan& plan, const api::Pod& pod, std::string_view container, bool is_init) {
  plan.is_ready = true;
  if (!is_init) Apply(plan, pod.metadata.annotations, {});
  Apply(plan, pod.metadata.annotations, fmt::format(".{}", container));
}

}  // namespace plimsoll::agent
