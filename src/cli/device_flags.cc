#include "cli/device_flags.h"

#include <CLI/CLI.hpp>

#include "cli/server_flags.h"

namespace plimsoll::cli {

void AddGetDevicesFlags(CLI::App& command, GetDevicesOptions& options) {
  command.add_option("-o,--output", options.output, "table, wide or json")
      ->check(CLI::IsMember({"table", "wide", "json"}));
  command.add_option("--driver", options.driver, "Only devices of this driver");
  command.add_option("--node", options.node, "Only devices of this node")->type_name("NAME");
  command.add_flag("--tainted", options.tainted_only, "Only devices with taints");
  AddKubeconfigFlag(command, options.kubeconfig);
}

void AddTaintDeviceFlags(CLI::App& command, TaintDeviceOptions& options) {
  command
      .add_option("words", options.words,
                  "The device, unless flags select devices, and the taint: key=value:Effect or "
                  "key:Effect with NoExecute, NoSchedule or None; key- or key:Effect- removes it")
      ->type_name("[DRIVER/POOL/DEVICE] TAINT");
  command.add_option("--driver", options.driver, "All devices of this driver");
  command.add_option("--pool", options.pool, "All devices of this pool");
  command.add_option("--class", options.class_name, "All devices that this DeviceClass selects")
      ->type_name("NAME");
  command.add_option("--cel", options.expressions, "All devices for which this expression holds")
      ->allow_extra_args(false)
      ->type_name("EXPR");
  command.add_option("--rate", options.rate,
                     "How many pods per second a NoExecute taint evicts; 10 without");
  command.add_option("--description", options.description, "Why, for people");
  command.add_option("--name", options.name, "Of the DeviceTaintRule; otherwise made of the rest");
  command.add_flag("--preview", options.is_preview,
                   "Only tell how many devices, claims and pods it is about, and how long eviction "
                   "takes");
  AddKubeconfigFlag(command, options.kubeconfig);
}

}  // namespace plimsoll::cli
