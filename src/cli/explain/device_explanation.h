#pragma once

#include <string>
#include <vector>

#include "api/core/taint.h"
#include "cli/devices/device_snapshot.h"
#include "cli/devices/device_text.h"
#include "cli/explain/cluster_snapshot.h"
#include "cli/output/styled_text.h"
#include "codec/document.h"
#include "match/rules.h"

namespace plimsoll::cli {

/// Claims that tolerate a taint by the same toleration.
struct ClaimTolerance {
  std::string toleration;
  std::string margin;
  std::vector<std::string> claims;  // namespace/name
};

struct ExplainedDeviceTaint {
  const api::DeviceTaint* taint = nullptr;
  std::string source;                      // driver, or rule/NAME
  std::vector<ClaimTolerance> tolerances;  // of all claims of the cluster
  std::size_t refusing = 0;                // number of claims that do not tolerate it
};

struct ExplainedDeviceUse {
  std::string claim;  // namespace/name
  std::string request;
  std::vector<std::string> pods;
  std::vector<std::string> untolerated;  // taints that the claim does not tolerate
};

/// Complete result for a device.
struct DeviceExplanation {
  std::string device;  // driver/pool/device
  bool is_published = false;
  std::string node;  // of NodeOfDevice
  DeviceFactTexts attributes;
  DeviceFactTexts capacity;
  std::vector<ExplainedDeviceTaint> taints;
  std::vector<ExplainedDeviceUse> uses;
};

/// Explains the device with this `driver/pool/device`. Returns NotFound, with a similar name, if no
/// slice publishes it and no claim uses it. The result refers to `devices` and `objects`.
Result<DeviceExplanation> ExplainDevice(const std::string& name, const DeviceSnapshot& devices,
                                        const std::vector<ObjectPtr>& objects,
                                        const match::Rules& rules);

/// Formats the explanation for people. `is_wide` shows complete lists.
StyledText ToText(const DeviceExplanation& explanation, bool is_wide = false);
/// Returns the claims that use the device, for -o name.
std::vector<std::string> NamesIn(const DeviceExplanation& explanation);
/// Formats the explanation for programs.
codec::Value ToTree(const DeviceExplanation& explanation, codec::Document& document);

}  // namespace plimsoll::cli
