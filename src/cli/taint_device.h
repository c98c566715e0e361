#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "client/client.h"

namespace plimsoll::cli {

struct TaintDeviceOptions {
  std::string kubeconfig;
  std::vector<std::string> words;  // [DRIVER/POOL/DEVICE] TAINT
  std::string driver;
  std::string pool;
  std::string class_name;
  std::vector<std::string> expressions;  // CEL
  std::optional<std::int64_t> rate;      // evictions per second
  std::string description;
  std::string name;  // of the rule; empty: made of what it taints
  bool is_preview = false;
};

/// Taints devices by a DeviceTaintRule, or takes such taints away again.
int RunTaintDevice(const TaintDeviceOptions& options, Context& context);
/// The same, at that client's server. Invalid: the words make no sense.
Status TaintDevice(const TaintDeviceOptions& options, const client::Client& client,
                   Context& context);

}  // namespace plimsoll::cli
