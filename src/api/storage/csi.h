#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "api/meta/label_selector.h"
#include "api/meta/object_meta.h"
#include "base/quantity.h"

/// Kinds that describe drivers of the Container Storage Interface: CSINode,
/// CSIDriver and CSIStorageCapacity.
namespace plimsoll::api {

struct CsiNodeDriver {
  std::string_view name;
  std::optional<std::int32_t> allocatable_count;  // unset: any number of volumes
};

/// Its name is the name of the node.
struct CsiNode {
  ObjectMeta metadata;
  std::vector<CsiNodeDriver> drivers;
};

struct CsiDriver {
  ObjectMeta metadata;
  bool storage_capacity = false;                   // publishes CSIStorageCapacities
  bool prevent_pod_scheduling_if_missing = false;  // keeps pods off nodes without the driver
};

struct CsiStorageCapacity {
  ObjectMeta metadata;
  std::string_view storage_class_name;
  std::optional<Quantity> capacity;
  std::optional<Quantity> maximum_volume_size;
  std::optional<LabelSelector> node_topology;  // unset: no node has access
};

}  // namespace plimsoll::api
