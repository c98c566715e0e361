#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/action.h"
#include "agent/devices/hosted_slice.h"
#include "api/meta/string_map.h"
#include "api/resource/resource_slice.h"

/// What a simulated driver publishes.
namespace plimsoll::agent {

/// Returns the fingerprint of the content that the driver last published in this slice, or "". It
/// is an annotation of the slice. Users who edit the slice keep it, and the driver keeps their
/// edit.
std::string_view PublishedContent(const api::ResourceSlice& slice);

/// The taints that a node's annotation gives to a device in place of those of the template.
struct DeviceHealth {
  std::string device;
  std::vector<std::string> taints;  // as JSON objects
};

/// From `plimsoll.io/device-taints.gpu-0: "health=0:NoExecute,hot:NoSchedule"`: taints as kubectl
/// writes them, or a JSON list of them, or nothing at all. What cannot be read, or is for a device
/// that none of the slices has, is told in `faults` and changes nothing.
std::vector<DeviceHealth> ReadDeviceHealth(const api::StringMap& annotations,
                                           const std::vector<HostedSlice>& slices,
                                           std::vector<std::string>& faults);

/// Numbers of a pool: whoever reads a slice knows by them whether it has all of the pool.
struct PoolNumbers {
  std::int64_t generation = 0;
  std::int64_t slices = 0;

  friend bool operator==(const PoolNumbers&, const PoolNumbers&) = default;
};

/// A slice as it is to be published.
struct SliceContent {
  std::string spec;         // without `pool`, and without times
  std::string fingerprint;  // of that
  std::size_t taints = 0;   // of its devices, or for those of its pool
};

/// The content of each of a node's slices. Where a pool has a slice of taints, health goes there.
std::vector<SliceContent> ContentsOf(const std::vector<HostedSlice>& slices,
                                     const std::vector<DeviceHealth>& health);

/// How many taints a stored slice has. Fewer than were written: the server has dropped them.
std::size_t CountTaints(const api::ResourceSlice& slice);

/// The whole ResourceSlice for server-side apply. A taint that `stored` (may be null) has too keeps
/// its time; others were added now.
std::string SliceJson(std::string_view name, const api::Object& node, const HostedSlice& slice,
                      const SliceContent& content, const PoolNumbers& pool, const ObjectPtr& stored,
                      Instant now);

/// `status.devices` of a claim for server-side apply: the binding conditions of the devices at
/// these places of its allocation hold, or the failure conditions do.
struct BindingReport {
  std::size_t place = 0;
  bool has_failed = false;
};
std::string BindingJson(const api::Object& claim, const std::vector<BindingReport>& reports,
                        Instant now);

}  // namespace plimsoll::agent
