#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource/device_taint_rule.h"
#include "base/result.h"

/// What the words of `plimsoll taint device` mean.
namespace plimsoll::cli {

/// Which devices are meant: everything that is given must hold.
struct DeviceTarget {
  std::optional<std::string> driver;
  std::optional<std::string> pool;
  std::optional<std::string> device;
  std::optional<std::string> class_name;
  std::vector<std::string> expressions;  // CEL

  bool empty() const { return !driver && !pool && !device && !class_name && expressions.empty(); }
};

/// `DRIVER/POOL/DEVICE`. Names of pools may have slashes. Invalid: anything else.
Result<DeviceTarget> ReadDeviceName(std::string_view word);
/// As messages name it: `gpu.example.com/node-1/gpu-0`, or `driver=…, class=…, cel=…`.
std::string ToText(const DeviceTarget& target);
/// Whether a rule's selector is this one.
bool IsSame(const DeviceTarget& target, const std::optional<api::DeviceTaintSelector>& selector);

/// `key=value:Effect` or `key:Effect`; or, to remove it, `key-` or `key:Effect-`.
struct TaintWord {
  std::string key;
  std::string value;
  std::string effect;  // empty only in a removal
  bool is_removal = false;
};
Result<TaintWord> ReadTaintWord(std::string_view word);

/// The same for the same devices and key, so that a second call changes what the first has made.
std::string RuleNameFor(const DeviceTarget& target, std::string_view key);

struct RuleDetails {
  std::optional<std::int64_t> rate;  // evictions per second
  std::string description;
};
/// A DeviceTaintRule, as JSON.
std::string RuleJson(std::string_view name, const DeviceTarget& target, const TaintWord& taint,
                     const RuleDetails& details);

}  // namespace plimsoll::cli
