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

/// Containers that exist in name only: they start, serve, end and crash when their plan says so.
/// Pure: its time is the time that it is given. A container that only runs costs nothing.
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
  void Take(Instant now, std::vector<RuntimeEvent>& out) override;
  std::optional<Instant> NextWake() const override;

 private:
  struct Container {
    Plan plan;
    bool is_init = false;
    bool is_ready = false;                // as last told
    std::unique_ptr<RuntimeEvent> start;  // what is told when it starts, or that it fails to
    Instant started_at;
    std::optional<Instant> exit_at;
    std::int32_t exit_code = 0;
    std::string exit_reason;
    Instant due = Instant::max();  // its place in due_
  };
  using Containers = std::map<ContainerKey, Container>;

  Container& Add(const ContainerStart& start, Instant starts_at, Instant now);
  void PlanExit(Container& container) const;
  /// Puts it where its next event is due.
  void Schedule(const ContainerKey& key, Container& container);
  /// Tells what is due at its time. True: it is over.
  bool Tell(const ContainerKey& key, Container& container, std::vector<RuntimeEvent>& out);

  const PlanDefaults defaults_;
  Containers containers_;
  std::set<std::pair<Instant, ContainerKey>> due_;
};

}  // namespace plimsoll::agent
