#include "scheduler/dra/allocated_claim.h"

#include <algorithm>
#include <utility>

#include "base/go_text.h"
#include "base/time_arithmetic.h"
#include "codec/value_at.h"
#include "dra/eviction_time.h"
#include "scheduler/dra/devices.h"
#include "scheduler/dra/pod_devices.h"
#include "scheduler/volume/node_condition.h"

namespace plimsoll::scheduler {
namespace {

using Statuses = std::vector<api::AllocatedDeviceStatus>;

Statuses::const_iterator FindStatus(const api::ResourceClaim& claim,
                                    const api::DeviceResult& result) {
  return std::ranges::find_if(claim.devices, [&](const api::AllocatedDeviceStatus& status) {
    return status.driver == result.driver && status.pool == result.pool &&
           status.device == result.device && status.share_id == result.share_id;
  });
}

/// Returns the index of the condition of this type if it is True.
std::optional<std::size_t> FindTrue(const api::AllocatedDeviceStatus& status,
                                    std::string_view type) {
  for (std::size_t i = 0; i < status.conditions.size(); ++i) {
    if (status.conditions[i].type == type && status.conditions[i].status == "True") return i;
  }
  return std::nullopt;
}

std::string FailureText(const api::Object& claim, std::size_t device, std::size_t condition) {
  const codec::Value& list = *claim.tree().Find("status")->Find("devices");
  const codec::Value& tree = list.items()[device].Find("conditions")->items()[condition];
  const auto text = [&](std::string_view key) { return TextAt(tree, key); };
  return "claim " + std::string(claim.metadata().name) +
         " binding failed: reason=" + std::string(text("reason")) +
         ", message=" + GoQuote(text("message"));
}

bool IsOverdue(const ClusterState& cluster, const api::AllocationResult& allocation) {
  const bool has_conditions = std::ranges::any_of(
      allocation.results,
      [](const api::DeviceResult& result) { return !result.binding_conditions.empty(); });
  if (!has_conditions || allocation.allocation_timestamp.empty()) return false;
  const Result<Instant> since = ParseTime(allocation.allocation_timestamp);
  const Devices& devices = cluster.devices();
  return since && TimeBetween(*since, devices.now()) > devices.settings().binding_timeout;
}

/// Returns the first taint of the claim's devices that keeps other pods from using it.
const api::Taint* FindTaint(const ClusterState& cluster, const api::AllocationResult& allocation) {
  for (const api::DeviceResult& result : allocation.results) {
    const dra::TrackedDevice* const device =
        cluster.devices().tracker().FindDevice(result.driver, result.pool, result.device);
    if (device == nullptr) continue;
    const dra::DeviceTaintSource* const found = dra::FindUntolerated(
        *device, result.tolerations, cluster.devices().toleration_rules(), cluster.devices().now());
    if (found != nullptr) return found->taint;
  }
  return nullptr;
}

}  // namespace

DeviceReadiness ReadinessOf(const api::Object& object, std::string* error) {
  const auto& claim = *object.As<api::ResourceClaim>();
  if (!claim.allocation) return DeviceReadiness::Waiting;
  for (const api::DeviceResult& result : claim.allocation->results) {
    if (result.binding_conditions.empty()) continue;
    const auto status = FindStatus(claim, result);
    if (status == claim.devices.end()) return DeviceReadiness::Waiting;
    for (const std::string_view type : result.binding_failure_conditions) {
      const std::optional<std::size_t> found = FindTrue(*status, type);
      if (!found) continue;
      if (error != nullptr) {
        const auto device = static_cast<std::size_t>(status - claim.devices.begin());
        *error = FailureText(object, device, *found);
      }
      return DeviceReadiness::Failed;
    }
    const bool is_ready = std::ranges::all_of(
        result.binding_conditions,
        [&](std::string_view type) { return FindTrue(*status, type).has_value(); });
    if (!is_ready) return DeviceReadiness::Waiting;
  }
  return DeviceReadiness::Ready;
}

Result<AllocatedClaim> AllocatedClaim::Make(const ClusterState& cluster, ObjectPtr claim,
                                            std::string_view pod_uid) {
  AllocatedClaim made;
  made.object_ = std::move(claim);
  made.claim_ = made.object_->As<api::ResourceClaim>();
  const api::AllocationResult& allocation = *made.claim_->allocation;
  if (allocation.node_selector) {
    made.nodes_.emplace(*allocation.node_selector, cluster.rules());
    if (std::string fault = made.nodes_->ParseError(); !fault.empty()) {
      return Fail(Reason::Invalid, std::move(fault));
    }
  }
  const DeviceReadiness readiness = ReadinessOf(*made.object_);
  made.is_nowhere_ = readiness == DeviceReadiness::Failed ||
                     (readiness == DeviceReadiness::Waiting && IsOverdue(cluster, allocation));
  if (!IsReservedFor(*made.claim_, pod_uid)) {
    if (const api::Taint* const taint = FindTaint(cluster, allocation)) {
      made.taint_.append(taint->key).append(": ").append(taint->value);
      made.is_nowhere_ = true;
    }
  }
  return made;
}

bool AllocatedClaim::IsAvailable(const ClusterState& cluster, NodeSlot node) const {
  if (is_nowhere_) return false;
  return !nodes_ || nodes_->Match({cluster.node_name(node), cluster.index().Labels(node)}).matched;
}

void AllocatedClaim::FilterNodes(ClusterState& cluster, Bitmap& nodes) const {
  if (is_nowhere_) {
    nodes.Fill(false);
  } else if (nodes_) {
    NodeCondition::Of(*claim_->allocation->node_selector).FilterNodes(cluster.index(), nodes);
  }
}

bool AllocatedClaim::IsFreeFor(std::string_view pod_uid) const {
  return claim_->reserved_for.empty() ||
         (claim_->reserved_for.size() == 1 && claim_->reserved_for[0].uid == pod_uid);
}

}  // namespace plimsoll::scheduler
