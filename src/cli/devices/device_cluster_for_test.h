#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/assert.h"
#include "base/virtual_clock.h"
#include "cli/context.h"
#include "client/fake_server_for_test.h"
#include "codec/json.h"
#include "codec/patch/merge_patch.h"
#include "codec/yaml.h"

namespace plimsoll::cli {

/// For tests: a server with devices that records writes.
class DeviceCluster {
 public:
  /// `yaml` contains objects of resource.k8s.io.
  explicit DeviceCluster(std::string_view yaml) {
    auto documents = codec::ParseYaml(yaml);
    PL_ASSERT(documents.has_value());
    for (const auto& document : *documents) {
      const std::string kind(document->root().Find("kind")->text());
      std::string& items = lists_[kind];
      const std::string json = codec::WriteJson(document->root());
      items += (items.empty() ? "" : ",") + json;
      if (kind == "DeviceTaintRule") {
        rules_[std::string(document->root().Find("metadata")->Find("name")->text())] = json;
      }
    }
  }

  /// Runs the command, and stores its output in `out` and `err`.
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
  std::vector<std::string> written;  // method, path and body; without dry runs
  std::string rules_version = "v1";  // the only served version of DeviceTaintRule
  std::string openapi;               // OpenAPI document of that version; empty: not served
  /// Fields of `spec.deviceSelector` and `spec.taint` that the server drops silently: always, or
  /// only when it stores the rule.
  std::vector<std::string> dropped;
  std::vector<std::string> dropped_on_commit;

 private:
  net::Response Answer(const net::Request& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    const std::string group = "/apis/resource.k8s.io";
    if (path == group) {
      return client::JsonResponse(R"({"versions":[{"version":"v1"},{"version":")" + rules_version +
                                  R"("}]})");
    }
    if (path == group + "/" + rules_version) {
      return client::JsonResponse(R"({"resources":[{"name":"devicetaintrules"}]})");
    }
    if (path == group + "/v1") return client::JsonResponse(R"({"resources":[]})");
    if (path == "/openapi/v3" + group + "/" + rules_version && !openapi.empty()) {
      return client::JsonResponse(openapi);
    }
    const std::string rules = group + "/" + rules_version + "/devicetaintrules";
    if (path.contains("/devicetaintrules") ? !path.starts_with(rules)
                                           : !path.starts_with(group + "/v1/")) {
      return client::JsonResponse("404 page not found", 404);
    }
    if (request.method != "GET") return Write(request, path);
    if (path.starts_with(rules + "/")) return Get(path.substr(rules.size() + 1));
    return List(path.substr(path.rfind('/') + 1));
  }

  net::Response List(std::string_view plural) {
    const std::string kind = plural == "resourceslices"     ? "ResourceSlice"
                             : plural == "resourceclaims"   ? "ResourceClaim"
                             : plural == "deviceclasses"    ? "DeviceClass"
                             : plural == "devicetaintrules" ? "DeviceTaintRule"
                                                            : "";
    PL_ASSERT(!kind.empty());
    const std::string list = R"({"kind":")" + kind +
                             R"(List","apiVersion":"resource.k8s.io/v1","metadata":)"
                             R"({"resourceVersion":"1"},"items":[)" +
                             lists_[kind] + "]}";
    return client::JsonResponse(kind == "DeviceTaintRule" ? InServedVersion(list) : list);
  }

  /// Rules are given as v1 and returned in the served version.
  std::string InServedVersion(std::string json) const {
    constexpr std::string_view kGiven = R"("resource.k8s.io/v1")";
    for (std::size_t at = 0; (at = json.find(kGiven, at)) != std::string::npos; ++at) {
      json.replace(at, kGiven.size(), "\"resource.k8s.io/" + rules_version + "\"");
    }
    return json;
  }

  net::Response Get(const std::string& name) {
    const auto rule = rules_.find(name);
    if (rule != rules_.end()) return client::JsonResponse(InServedVersion(rule->second));
    return client::JsonResponse(api::NotFound({"resource.k8s.io", "devicetaintrules", name}).Json(),
                                404);
  }

  net::Response Write(const net::Request& request, const std::string& path) {
    const bool is_dry = request.target.contains("dryRun=All");
    if (!is_dry) written.push_back(request.method + " " + path + " " + request.body);
    const std::string name = path.substr(path.rfind('/') + 1);
    if (request.method == "DELETE") {
      rules_.erase(name);
      return client::JsonResponse(R"({"kind":"Status","apiVersion":"v1","status":"Success"})");
    }
    PL_ASSERT(request.target.contains("fieldValidation=Strict"));
    auto document = std::move(*codec::ParseJson(request.body));
    if (request.method == "PATCH") {
      auto before = std::move(*codec::ParseJson(rules_.at(name)));
      before->root() = *codec::ApplyMergePatch(*before, before->root(), document->root());
      document = std::move(before);
    }
    codec::Value* const spec = document->root().Find("spec");
    for (const auto& fields : {dropped, is_dry ? std::vector<std::string>() : dropped_on_commit}) {
      for (const std::string& field : fields) {
        for (const char* const part : {"deviceSelector", "taint"}) {
          document->Remove(*spec->Find(part), field);
        }
      }
    }
    codec::Value* const metadata = document->root().Find("metadata");
    document->Set(*metadata, "uid", codec::Value::String("u"));
    std::string stored = codec::WriteJson(document->root());
    if (!is_dry) rules_[std::string(metadata->Find("name")->text())] = stored;
    return client::JsonResponse(std::move(stored));
  }

  std::map<std::string, std::string> lists_;
  std::map<std::string, std::string> rules_;  // by name
  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Answer(request); }};
};

/// Returns a claim with devices of node-1, reserved for the pods. `toleration` is optional.
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

/// Returns the slice of a node with gpu-0, which has the given fields, and gpu-1.
inline std::string SliceText(const std::string& node, const std::string& of_gpu_0) {
  return "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: " + node +
         ", uid: " + node + "}\nspec:\n  driver: gpu.example.com\n  nodeName: " + node +
         "\n  pool: {name: " + node + ", generation: 1, resourceSliceCount: 1}\n" +
         "  devices: [{name: gpu-0, " + of_gpu_0 + "}, {name: gpu-1}]\n";
}

/// Two nodes with two devices each. On node-1, two pods use gpu-0. One tolerating pod of another
/// namespace uses gpu-1 and gpu-9, which is not published any more.
inline const std::string kDevices =
    SliceText("node-1", R"(
    attributes: {model: {string: H100}, index: {int: 0}, driverVersion: {version: 12.4.0}},
    capacity: {memory: {value: 80Gi}},
    taints: [{key: health, value: "8", effect: NoSchedule, timeAdded: "2026-03-01T12:00:00Z"}])") +
    SliceText("node-2", "attributes: {model: {string: A100}}") +
    R"(---
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: broken, uid: r1, resourceVersion: "7"}
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
