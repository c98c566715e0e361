#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource/device_taint_rule.h"
#include "base/result.h"

/// Parsing of the arguments of `plimsoll taint device`.
namespace plimsoll::cli {

/// Selects devices; all given conditions must hold.
struct DeviceTarget {
  std::optional<std::string> driver;
  std::optional<std::string> pool;
  std::optional<std::string> device;
  std::optional<std::string> class_name;
  std::vector<std::string> expressions;  // CEL

  bool empty() const { return !driver && !pool && !device && !class_name && expressions.empty(); }
};

/// Parses `DRIVER/POOL/DEVICE`. Pool names may contain slashes. Returns Invalid for other texts.
Result<DeviceTarget> ParseDeviceName(std::string_view word);
/// Formats the target for messages: `gpu.example.com/node-1/gpu-0`, `driver=…, class=…, cel=…`.
std::string ToText(const DeviceTarget& target);
/// Returns true if the rule's selector equals the target.
bool IsEqual(const DeviceTarget& target, const std::optional<api::DeviceTaintSelector>& selector);

/// `key=value:Effect` or `key:Effect`; for a removal `key-` or `key:Effect-`.
struct TaintArgument {
  std::string key;
  std::string value;
  std::string effect;  // empty only for a removal
  bool is_removal = false;
};
Result<TaintArgument> ParseTaintArgument(std::string_view word);

/// Returns equal names for equal devices and key, so that a second call changes the same rule.
std::string RuleNameFor(const DeviceTarget& target, std::string_view key);

struct RuleDetails {
  std::optional<std::int64_t> rate;  // evictions per second
  std::string description;
};
/// Returns a DeviceTaintRule as JSON.
std::string RuleJson(std::string_view name, const DeviceTarget& target, const TaintArgument& taint,
                     const RuleDetails& details);

}  // namespace plimsoll::cli
