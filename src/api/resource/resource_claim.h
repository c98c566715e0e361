#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/toleration.h"
#include "api/meta/object_meta.h"
#include "api/resource/resource_slice.h"

namespace plimsoll::codec {
class Value;
}

namespace plimsoll::api {

namespace allocation_mode {
inline constexpr std::string_view kExactCount = "ExactCount";
inline constexpr std::string_view kAll = "All";
}  // namespace allocation_mode

/// `exactly` of a request, or an element of its `firstAvailable`. Only the latter has a name; only
/// the former can have admin access.
struct DeviceRequestDetails {
  std::string_view name;
  std::string_view device_class_name;
  std::vector<std::string_view> selectors;  // CEL expressions
  std::string_view allocation_mode;         // as written, after defaulting
  std::int64_t count = 0;
  bool admin_access = false;
  std::vector<Toleration> tolerations;
  std::vector<NamedQuantity> capacity;
  const codec::Value* tolerations_source = nullptr;  // copied into allocation results
};

/// Validation ensures that exactly one of `exactly` and `first_available` is set.
struct DeviceRequest {
  std::string_view name;
  std::optional<DeviceRequestDetails> exactly;
  std::vector<DeviceRequestDetails> first_available;
};

/// Constraint over the devices of the listed requests (`request` or `request/sub`), or of all
/// requests if the list is empty.
struct DeviceConstraint {
  std::vector<std::string_view> requests;
  std::optional<std::string_view> match_attribute;
  std::optional<std::string_view> distinct_attribute;
};

/// Parameters for a driver. `source` is the whole element, including `requests` and `opaque`.
struct DeviceConfig {
  std::vector<std::string_view> requests;
  std::string_view driver;
  const codec::Value* source = nullptr;
};

struct DeviceClaim {
  std::vector<DeviceRequest> requests;
  std::vector<DeviceConstraint> constraints;
  std::vector<DeviceConfig> config;
};

/// A device allocated to a claim.
struct DeviceResult {
  std::string_view request;  // `request`, or `request/sub`
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  bool admin_access = false;
  std::vector<Toleration> tolerations;
  std::string_view share_id;  // for a device that several claims share
  std::vector<NamedQuantity> consumed_capacity;
  std::vector<std::string_view> binding_conditions;
  std::vector<std::string_view> binding_failure_conditions;
};

struct AllocationResult {
  std::vector<DeviceResult> results;
  std::optional<NodeSelector> node_selector;  // unset: every node
  std::string_view allocation_timestamp;      // RFC 3339; empty when unset
  const codec::Value* source = nullptr;
};

struct ConsumerReference {
  std::string_view api_group;
  std::string_view resource;  // `pods` with an empty group
  std::string_view name;
  std::string_view uid;
};

struct StatusCondition {
  std::string_view type;
  std::string_view status;
};

/// Status of an allocated device, as reported by its driver.
struct AllocatedDeviceStatus {
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  std::string_view share_id;
  std::vector<StatusCondition> conditions;
};

struct ResourceClaim {
  ObjectMeta metadata;
  DeviceClaim spec;
  std::optional<AllocationResult> allocation;  // this and the following are from status
  std::vector<ConsumerReference> reserved_for;
  std::vector<AllocatedDeviceStatus> devices;
  const codec::Value* source = nullptr;  // the whole spec
};

struct ResourceClaimTemplate {
  ObjectMeta metadata;
  ObjectMeta claim_metadata;  // labels and annotations for the claims
  DeviceClaim claim_spec;
  const codec::Value* claim_source = nullptr;  // the whole spec.spec; null when unset
};

}  // namespace plimsoll::api
