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

/// By name, in the order of the names: counters, requested and consumed capacities.
struct NamedQuantity {
  std::string_view name;
  Quantity value;
};

/// Which nodes can use a device or the devices of a slice. Of the members one is set in an object
/// that has passed validation.
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

/// Which amounts of a shared device's capacity can be had.
struct CapacityRequestPolicy {
  std::optional<Quantity> default_;
  std::vector<Quantity> valid_values;
  std::optional<CapacityRange> valid_range;
};

/// The policy of the capacity `name` among `Device::facts.capacity`.
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
  cel::DeviceFacts facts;  // attributes and capacities by their names; `driver` is the slice's
  std::vector<NamedRequestPolicy> request_policies;
  std::vector<CounterConsumption> consumes_counters;
  std::vector<DeviceTaint> taints;
  NodeSelection nodes;  // counts where the slice has perDeviceNodeSelection
  bool binds_to_node = false;
  std::vector<std::string_view> binding_conditions;
  std::vector<std::string_view> binding_failure_conditions;
};

struct CounterSet {
  std::string_view name;
  std::vector<NamedQuantity> counters;
};

/// An element of `spec.taints`: a taint of the pool's device of that name, in whichever slice that
/// device is, if in any.
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
