#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/flags/output_flag.h"
#include "client/client.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct TaintDeviceOptions {
  std::string kubeconfig;
  std::string kube_context;  // context in it; empty: the current one
  OutputFormat output = OutputFormat::Text;
  std::vector<std::string> arguments;  // [DRIVER/POOL/DEVICE] TAINT
  std::string driver;
  std::string pool;
  std::string class_name;
  std::vector<std::string> expressions;  // CEL
  std::optional<std::int64_t> rate;      // evictions per second
  std::string description;
  std::string name;  // name of the rule; empty: derived from its target
  bool is_preview = false;
};

void AddTaintDeviceFlags(CLI::App& command, TaintDeviceOptions& options);

/// Taints devices with a DeviceTaintRule, or removes such taints.
int RunTaintDevice(const TaintDeviceOptions& options, Context& context);
/// Same, for the server of `client`. Returns Invalid for wrong arguments.
Status TaintDevice(const TaintDeviceOptions& options, const client::Client& client,
                   Context& context);

/// Prints what the taint of a DeviceTaintRule would do. Changes nothing. Name is printed as Text.
Status PreviewDeviceTaintRule(const api::Object& rule, const client::Client& client,
                              OutputFormat format, Context& context);

}  // namespace plimsoll::cli
