#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/meta/object_meta.h"
#include "api/resource/device_taint.h"
#include "base/quantity.h"
#include "cel/device_facts.h"

namespace plimsoll::api {

/// A counter or a capacity, requested or consumed. Lists of these are sorted by name.
struct NamedQuantity {
  std::string_view name;
  Quantity value;
};

/// Nodes that can use a device or the devices of a slice. Validation ensures
/// that exactly one member is set.
struct NodeSelection {
  std::optional<std::string_view> node_name;
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;
};

struct CapacityRange {
  Quantity min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;
};

/// Amounts of a shared device's capacity that a claim may request.
struct CapacityRequestPolicy {
  std::optional<Quantity> default_;
  std::vector<Quantity> valid_values;
  std::optional<CapacityRange> valid_range;
};

/// Policy for the capacity `name` in `Device::facts.capacity`.
struct NamedRequestPolicy {
  std::string_view name;
  CapacityRequestPolicy policy;
};

struct CounterConsumption {
  std::string_view counter_set;
  std::vector<NamedQuantity> counters;
};

struct Device {
  std::string_view name;
  cel::DeviceFacts facts;  // attributes and capacities by name; `driver` is the slice's
  std::vector<NamedRequestPolicy> request_policies;
  std::vector<CounterConsumption> consumes_counters;
  std::vector<DeviceTaint> taints;
  NodeSelection nodes;  // used if the slice has perDeviceNodeSelection
  bool binds_to_node = false;
  std::vector<std::string_view> binding_conditions;
  std::vector<std::string_view> binding_failure_conditions;
};

struct CounterSet {
  std::string_view name;
  std::vector<NamedQuantity> counters;
};

/// An element of `spec.taints`: a taint for the pool's device of that name. The device may be
/// in another slice, or missing.
struct SliceDeviceTaint {
  std::string_view device;
  DeviceTaint taint;
};

struct ResourcePool {
  std::string_view name;
  std::int64_t generation = 0;
  std::int64_t resource_slice_count = 0;
};

struct ResourceSlice {
  ObjectMeta metadata;
  std::string_view driver;
  ResourcePool pool;
  NodeSelection nodes;
  bool per_device_node_selection = false;
  std::vector<Device> devices;
  std::vector<CounterSet> shared_counters;
  std::vector<SliceDeviceTaint> taints;
};

}  // namespace plimsoll::api
