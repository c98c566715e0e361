#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/devices/hosted_slice.h"
#include "agent/runtime.h"
#include "api/meta/string_map.h"
#include "api/resource/resource_slice.h"

/// Content of the ResourceSlices of a simulated DRA driver. A slice lists devices of one node. The
/// devices come from the node's template (HostedSlice), their taints also from its annotations.
namespace plimsoll::agent {

/// Returns the fingerprint (a hash) of the content that the driver last wrote to this slice, or "".
/// It is an annotation of the slice. The driver writes a slice only if its content has another
/// fingerprint, so an edit of the slice by a user stays.
std::string_view PublishedContent(const api::ResourceSlice& slice);

/// Taints of a device from a node's annotation. They replace those of the template.
struct DeviceHealth {
  std::string device;
  std::vector<std::string> taints;  // as JSON objects
};

/// Reads `plimsoll.io/device-taints.gpu-0: "health=0:NoExecute,hot:NoSchedule"`: taints in
/// kubectl's syntax, a JSON list, or "" for none. Adds an error to `faults`, and ignores the
/// annotation, if it is invalid or no slice has the device.
std::vector<DeviceHealth> ReadDeviceHealth(const api::StringMap& annotations,
                                           const std::vector<HostedSlice>& slices,
                                           std::vector<std::string>& faults);

/// Numbers in a pool's slices that let a reader detect whether it has all of them.
struct PoolNumbers {
  std::int64_t generation = 0;
  std::int64_t slices = 0;

  friend bool operator==(const PoolNumbers&, const PoolNumbers&) = default;
};

/// Content of a slice to publish.
struct SliceContent {
  std::string spec;         // without `pool` and without times
  std::string fingerprint;  // of `spec`
  std::size_t taints = 0;   // number of taints in it
};

/// Returns the content of each of a node's slices. A pool's taint slice, if any, gets the taints.
std::vector<SliceContent> ContentsOf(const std::vector<HostedSlice>& slices,
                                     const std::vector<DeviceHealth>& health);

/// Returns the number of taints in a stored slice. If it is less than the driver wrote, the server
/// dropped taints, because their feature gate is off.
std::size_t CountTaints(const api::ResourceSlice& slice);

/// Returns the whole ResourceSlice for server-side apply. A taint that `stored` (may be null) also
/// has keeps its time; others get `now`.
std::string SliceJson(std::string_view name, const api::Object& node, const HostedSlice& slice,
                      const SliceContent& content, const PoolNumbers& pool, const ObjectPtr& stored,
                      Instant now);

/// A device to report in `status.devices` of a claim.
struct BindingReport {
  std::size_t place = 0;  // index in `status.allocation.devices.results`
  bool has_failed = false;
};
/// Returns the claim for server-side apply, with the binding conditions of these devices, or their
/// binding failure conditions.
std::string BindingJson(const api::Object& claim, const std::vector<BindingReport>& reports,
                        Instant now);

}  // namespace plimsoll::agent
