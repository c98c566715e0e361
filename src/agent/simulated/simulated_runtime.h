#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "agent/runtime.h"
#include "agent/simulated/plan.h"

namespace plimsoll::agent {

/// Simulated containers, which start, become ready, end and crash as their plan says. Pure: its
/// only time is the parameter `now`. A container that just runs costs nothing.
class SimulatedRuntime final : public Runtime {
 public:
  explicit SimulatedRuntime(const PlanDefaults& defaults = {}) : defaults_(defaults) {}

  std::string_view Version() const override { return "simulated://1.0.0"; }
  void Start(const ContainerStart& start, Instant now) override;
  void Resume(const ContainerStart& start, Instant started_at, Instant now) override;
  void Stop(const ContainerKey& key, Duration grace, Instant now) override;
  void Update(std::uint64_t pod, const ObjectPtr& object, Instant now) override;
  void Forget(std::uint64_t pod) override;
  std::int64_t ImageBytes(std::string_view image) const override;
  void TakeEvents(Instant now, std::vector<RuntimeEvent>& out) override;
  std::optional<Instant> NextWake() const override;

 private:
  struct Container {
    Plan plan;
    bool is_init = false;
    bool is_ready = false;                // as last reported
    std::unique_ptr<RuntimeEvent> start;  // pending event Started or StartFailed
    Instant started_at;
    std::optional<Instant> exit_at;
    std::int32_t exit_code = 0;
    std::string exit_reason;
    Instant due = Instant::max();  // its time in due_
  };
  using Containers = std::map<ContainerKey, Container>;

  Container& Add(const ContainerStart& start, Instant starts_at, Instant now);
  void PlanExit(Container& container) const;
  /// Sets the time of the container's next event.
  void Schedule(const ContainerKey& key, Container& container);
  /// Reports the event that is due. Returns true if the container is over.
  bool ReportDue(const ContainerKey& key, Container& container, std::vector<RuntimeEvent>& out);

  const PlanDefaults defaults_;
  Containers containers_;
  std::set<std::pair<Instant, ContainerKey>> due_;
};

}  // namespace plimsoll::agent
