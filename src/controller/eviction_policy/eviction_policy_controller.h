#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "controller/controller.h"
#include "controller/eviction_policy/eviction_gate.h"

namespace plimsoll::controller {

/// Feeds the gate that the evictors ask, and writes for it. It writes the status of
/// EvictionPolicies, EvictionRequests, and events about pods that are held back.
/// docs/safe-evictions.md describes the policies.
class EvictionPolicyController final : public Controller {
 public:
  static constexpr std::string_view kName = "eviction-policy-controller";

  explicit EvictionPolicyController(std::shared_ptr<EvictionGate> gate) : gate_(std::move(gate)) {}

  std::string_view name() const override { return kName; }
  std::string_view component() const override { return kName; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override { gate_->Run(turn); }
  std::optional<Instant> NextWake() const override { return gate_->NextWake(); }

 private:
  void OnChange(const ObjectChanged& change, Instant now);

  const std::shared_ptr<EvictionGate> gate_;
};

}  // namespace plimsoll::controller
