#include "agent/simulated/simulated_runtime.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time_arithmetic.h"

namespace plimsoll::agent {
namespace {

/// FNV-1a: equal on every machine.
std::uint64_t HashOf(std::string_view text, std::uint64_t hash = 14695981039346656037ULL) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

/// Returns 64 hex digits, derived from the seed, that look like a SHA-256.
std::string Digest(std::uint64_t seed) {
  std::string out;
  for (int word = 0; word < 4; ++word) {
    seed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    out += fmt::format("{:016x}", mixed ^ (mixed >> 31));
  }
  return out;
}

/// Returns the image without its tag or digest.
std::string_view Repository(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool has_tag =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  return has_tag ? image.substr(0, colon) : image;
}

constexpr std::int32_t kKilled = 137;
constexpr std::int64_t kMebibyte = 1 << 20;

}  // namespace

SimulatedRuntime::Container& SimulatedRuntime::Add(const ContainerStart& start, Instant starts_at,
                                                   Instant now) {
  Container& container = containers_[start.key];
  container.is_init = start.is_init;
  container.start = std::make_unique<RuntimeEvent>();
  RuntimeEvent& event = *container.start;
  event.key = start.key;
  Result<Plan> plan = ReadPlan(start, defaults_);
  if (!plan) {
    event.kind = RuntimeEvent::Kind::StartFailed;
    event.reason = "CreateContainerConfigError";
    event.message = plan.error().message;
    container.started_at = now;
    return container;
  }
  container.plan = std::move(*plan);
  container.started_at = starts_at;
  const api::Container& spec = ContainerOf(start);
  if (!container.plan.start_failure.empty()) {
    event.kind = RuntimeEvent::Kind::StartFailed;
    event.reason = container.plan.start_failure;
    event.message = "set by the annotation plimsoll.io/start-failure";
    return container;
  }
  const std::string own = fmt::format("/{}/{}", spec.name, start.key.attempt);
  event.id = "simulated://" + Digest(HashOf(own, HashOf(start.pod->metadata().uid)));
  event.image_id = fmt::format("{}@sha256:{}", Repository(spec.image), Digest(HashOf(spec.image)));
  PlanExit(container);
  return container;
}

void SimulatedRuntime::PlanExit(Container& container) const {
  container.exit_at.reset();
  if (!container.plan.run_time) return;
  container.exit_at = container.started_at + *container.plan.run_time;
  container.exit_code = container.plan.exit_code;
  container.exit_reason = container.plan.exit_reason;
}

void SimulatedRuntime::Start(const ContainerStart& start, Instant now) {
  Container& container = Add(start, now, now);
  const bool is_first = start.key.attempt <= 1;
  if (is_first && container.plan.start_delay > Duration::zero()) {
    container.started_at = now + container.plan.start_delay;
    if (container.exit_at) PlanExit(container);
  }
  Schedule(start.key, container);
}

void SimulatedRuntime::Resume(const ContainerStart& start, Instant started_at, Instant now) {
  Container& container = Add(start, started_at, now);
  Schedule(start.key, container);
}

void SimulatedRuntime::Stop(const ContainerKey& key, Duration grace, Instant now) {
  const auto found = containers_.find(key);
  if (found == containers_.end()) return;
  Container& container = found->second;
  if (container.start != nullptr && container.started_at > now) {
    container.start->kind = RuntimeEvent::Kind::StartFailed;
    container.start->reason = "ContainerCreating";
    container.started_at = now;
    container.exit_at.reset();
    return Schedule(key, container);
  }
  const bool ends_by_itself = container.plan.stop_time <= grace;
  const Instant ends_at = SaturatingAdd(now, ends_by_itself ? container.plan.stop_time : grace);
  if (container.exit_at && *container.exit_at <= ends_at) return;
  container.exit_at = ends_at;
  container.exit_code = ends_by_itself ? container.plan.stop_exit_code : kKilled;
  container.exit_reason.clear();
  Schedule(key, container);
}

void SimulatedRuntime::Update(std::uint64_t pod, const ObjectPtr& object, Instant now) {
  for (auto at = containers_.lower_bound({pod, 0, 0});
       at != containers_.end() && at->first.pod == pod; ++at) {
    auto& [key, container] = *at;
    const ContainerStart start{key, object, nullptr, container.is_init};
    const Plan before = container.plan;
    UpdatePlan(container.plan, *object->As<api::Pod>(), ContainerOf(start).name, container.is_init);
    if (container.plan.run_time != before.run_time) {
      PlanExit(container);
      if (container.exit_at) container.exit_at = std::max(*container.exit_at, now);
    }
    if (container.plan.crash != before.crash && !container.plan.crash.empty()) {
      container.exit_at = now;
      container.exit_code = std::max(container.plan.exit_code, 1);
      container.exit_reason = container.plan.exit_reason;
    }
    Schedule(key, container);
  }
}

void SimulatedRuntime::Forget(std::uint64_t pod) {
  auto at = containers_.lower_bound({pod, 0, 0});
  while (at != containers_.end() && at->first.pod == pod) {
    due_.erase({at->second.due, at->first});
    at = containers_.erase(at);
  }
}

std::int64_t SimulatedRuntime::ImageBytes(std::string_view image) const {
  return (5 + static_cast<std::int64_t>(HashOf(image) % 200)) * kMebibyte;
}

void SimulatedRuntime::Schedule(const ContainerKey& key, Container& container) {
  if (container.due != Instant::max()) due_.erase({container.due, key});
  container.due = Instant::max();
  if (container.start != nullptr) {
    container.due = container.started_at;
  } else {
    if (container.exit_at) container.due = *container.exit_at;
    if (container.plan.is_ready != container.is_ready && !container.is_init) {
      const Instant ready_at = container.plan.is_ready
                                   ? container.started_at + container.plan.readiness_delay
                                   : container.started_at;
      container.due = std::min(container.due, ready_at);
    }
  }
  if (container.due != Instant::max()) due_.emplace(container.due, key);
}

bool SimulatedRuntime::ReportDue(const ContainerKey& key, Container& container,
                                 std::vector<RuntimeEvent>& out) {
  const Instant at = container.due;
  if (container.start != nullptr) {
    container.start->at = at;
    const bool is_over = container.start->kind == RuntimeEvent::Kind::StartFailed;
    out.push_back(std::move(*container.start));
    container.start.reset();
    return is_over;
  }
  RuntimeEvent event{.key = key, .at = at, .reason = {}, .message = {}, .id = {}, .image_id = {}};
  if (container.exit_at && *container.exit_at <= at) {
    event.kind = RuntimeEvent::Kind::Exited;
    event.exit_code = container.exit_code;
    event.reason = container.exit_reason;
    out.push_back(std::move(event));
    return true;
  }
  container.is_ready = container.plan.is_ready;
  event.kind = container.is_ready ? RuntimeEvent::Kind::Ready : RuntimeEvent::Kind::Unready;
  out.push_back(std::move(event));
  return false;
}

void SimulatedRuntime::TakeEvents(Instant now, std::vector<RuntimeEvent>& out) {
  while (!due_.empty() && due_.begin()->first <= now) {
    const ContainerKey key = due_.begin()->second;
    const auto at = containers_.find(key);
    if (ReportDue(key, at->second, out)) {
      due_.erase(due_.begin());
      containers_.erase(at);
    } else {
      Schedule(key, at->second);
    }
  }
}

std::optional<Instant> SimulatedRuntime::NextWake() const {
  return due_.empty() ? std::nullopt : std::optional(due_.begin()->first);
}

}  // namespace plimsoll::agent
