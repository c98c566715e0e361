#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/devices/device_snapshot.h"
#include "cli/explain/cluster_snapshot.h"
#include "cli/output/styled_text.h"
#include "codec/document.h"

namespace plimsoll::cli {

/// A taint of an allocated device, and how the claim tolerates it.
struct AllocatedTaint {
  std::string taint;       // key=value:effect
  std::string source;      // driver, or rule/NAME
  std::string toleration;  // empty: the claim does not tolerate it
  std::string margin;
};

struct AllocatedDevice {
  std::string request;
  std::string device;  // driver/pool/device
  bool is_published = false;
  std::vector<AllocatedTaint> taints;
};

/// Devices that cannot serve a request for the same reason.
struct DeviceRefusals {
  std::string fault;   // NotSelected, Tainted, …
  std::string detail;  // the selector, the taint and the closest toleration; may be empty
  std::vector<std::string> devices;
  std::vector<std::string> users;  // claims that have them, if they are in use
};

struct RequestExplanation {
  std::string request;
  std::int64_t wanted = 0;               // 0: all
  std::vector<std::string> usable;       // devices without a fault on some node
  std::vector<DeviceRefusals> refusals;  // most devices first
};

/// Complete result for a ResourceClaim.
struct ClaimExplanation {
  ObjectPtr claim;
  bool is_allocated = false;
  std::vector<AllocatedDevice> devices;   // if allocated
  std::vector<std::string> reserved_for;  // pods
  // If not allocated:
  std::size_t nodes = 0;
  std::vector<std::string> possible;  // nodes whose devices suffice
  std::string error;                  // of the first node whose search failed
  std::vector<RequestExplanation> requests;
};

/// Explains the claim with the scheduler's allocator.
ClaimExplanation ExplainClaim(const ObjectPtr& claim, const DeviceSnapshot& devices,
                              ClusterSnapshot& cluster, Instant now);

/// Formats the explanation for people. `is_wide` shows complete lists.
StyledText ToText(const ClaimExplanation& explanation, bool is_wide = false);
/// Returns the devices that are allocated, or usable, as driver/pool/device, for -o name.
std::vector<std::string> NamesIn(const ClaimExplanation& explanation);
/// Formats the explanation for programs.
codec::Value ToTree(const ClaimExplanation& explanation, codec::Document& document);

}  // namespace plimsoll::cli
