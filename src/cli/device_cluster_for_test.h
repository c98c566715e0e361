#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "base/assert.h"
#include "base/virtual_clock.h"
#include "cli/context.h"
#include "client/test_support.h"
#include "codec/yaml.h"

namespace plimsoll::cli {

/// For tests: a server with devices, which notes what else it is asked.
class DeviceCluster {
 public:
  /// Objects of resource.k8s.io, as YAML.
  explicit DeviceCluster(std::string_view yaml) {
    auto documents = codec::ParseYaml(yaml);
    PL_ASSERT(documents.has_value());
    for (const auto& document : *documents) {
      const std::string kind(document->root().Find("kind")->text());
      std::string& items = lists_[kind];
      items += (items.empty() ? "" : ",") + codec::WriteJson(document->root());
    }
  }

  /// Runs the command, and keeps what it printed.
  template <class Command, class Options>
  Status Run(const Command& command, const Options& options) {
    std::istringstream in;
    std::ostringstream printed;
    std::ostringstream complained;
    VirtualClock clock;
    MemorySink sink;
    Logger log(clock, sink);
    Context context{in, printed, complained, log};
    const client::Client client(server_.Connect(), clock_);
    const Status status = command(options, client, context);
    out = printed.str();
    err = complained.str();
    return status;
  }

  std::string out;
  std::string err;
  std::vector<std::string> written;  // method, path and body

 private:
  net::Response Answer(const net::Request& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (request.method != "GET") {
      written.push_back(request.method + " " + path + " " + request.body);
      return client::JsonResponse(
          R"({"kind":"DeviceTaintRule","apiVersion":"resource.k8s.io/v1",)"
          R"("metadata":{"name":"x","uid":"u"},"spec":{"taint":{"key":"k","effect":"None"}}})");
    }
    const std::string plural = path.substr(path.rfind('/') + 1);
    const std::string kind = plural == "resourceslices"     ? "ResourceSlice"
                             : plural == "resourceclaims"   ? "ResourceClaim"
                             : plural == "deviceclasses"    ? "DeviceClass"
                             : plural == "devicetaintrules" ? "DeviceTaintRule"
                                                            : "";
    PL_ASSERT(!kind.empty());
    return client::JsonResponse(R"({"kind":")" + kind +
                                R"(List","apiVersion":"resource.k8s.io/v1","metadata":)"
                                R"({"resourceVersion":"1"},"items":[)" +
                                lists_[kind] + "]}");
  }

  std::map<std::string, std::string> lists_;
  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Answer(request); }};
};

/// A claim that has devices of node-1, with that toleration if it is given, for the pods.
inline std::string ClaimText(const std::string& namespace_, const std::string& name,
                             const std::vector<std::string>& devices,
                             const std::vector<std::string>& pods,
                             const std::string& toleration = {}) {
  std::string text = R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: fast}}]}}
)";
  text += "metadata: {name: " + name + ", namespace: " + namespace_ + ", uid: " + name + "}\n";
  text += "status:\n  allocation:\n    devices:\n      results:\n";
  for (const std::string& device : devices) {
    text += "      - {request: r, driver: gpu.example.com, pool: node-1, device: " + device +
            ", tolerations: [" + toleration + "]}\n";
  }
  text += "  reservedFor:\n";
  for (const std::string& pod : pods) {
    text += "  - {resource: pods, name: " + pod + ", uid: " + pod + "}\n";
  }
  return text;
}

/// What the driver of a node publishes: gpu-0, of which it says more, and gpu-1.
inline std::string SliceText(const std::string& node, const std::string& of_gpu_0) {
  return "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: " + node +
         ", uid: " + node + "}\nspec:\n  driver: gpu.example.com\n  nodeName: " + node +
         "\n  pool: {name: " + node + ", generation: 1, resourceSliceCount: 1}\n" +
         "  devices: [{name: gpu-0, " + of_gpu_0 + "}, {name: gpu-1}]\n";
}

/// Two nodes with two devices each; gpu-0 of node-1 has two pods, gpu-1 one of another namespace
/// that tolerates, and gpu-9 is not published any more.
inline const std::string kDevices =
    SliceText("node-1", R"(
    attributes: {model: {string: H100}, index: {int: 0}, driverVersion: {version: 12.4.0}},
    capacity: {memory: {value: 80Gi}},
    taints: [{key: health, value: "8", effect: NoSchedule, timeAdded: "2026-03-01T12:00:00Z"}])") +
    SliceText("node-2", "attributes: {model: {string: A100}}") +
    R"(---
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: broken, uid: r1}
spec:
  deviceSelector: {driver: gpu.example.com, pool: node-1, device: gpu-0}
  taint: {key: monitor.example.com/broken, effect: NoExecute}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: fast, uid: c1}
spec:
  selectors:
  - cel: {expression: 'has(device.attributes["gpu.example.com"].model) && device.attributes["gpu.example.com"].model == "H100"'}
)" + ClaimText("ml", "shared", {"gpu-0"}, {"p1", "p2"}) +
    ClaimText("web", "patient", {"gpu-1", "gpu-9"}, {"p3"}, "{operator: Exists}");

}  // namespace plimsoll::cli
