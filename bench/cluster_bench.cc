// Measures the whole control plane from the clients' view. `plimsoll up` runs in its own process,
// with RocksDB, fsync on the disk of TMPDIR, and TLS. The client runs on the same machine.
// `cluster_bench [--plimsoll=PROGRAM] [--nodes=N] [--pods=N] [--rate=N] [SECTION…]`
//
//   bind     time until pods that a client creates are bound
//   idle     cost of simulated nodes that only send heartbeats
//   scale    a Deployment from 0 to --pods running replicas, and back
//   evict    running pods, and a taint that evicts all of them
//   devices  pods with a device each, and a rule that evicts --rate of them per second; the
//            device taint eviction controller runs alone in its own process
//
// --pods applies to all sections; the default is 20,000, and 50,000 with devices.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "load.h"
#include "process.h"
#include "program.h"
#include "server_process.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::bench {
namespace {

using namespace std::chrono_literals;

constexpr double kBindAim = 3000;  // pods per second
constexpr double kScaleAim = 1500;
constexpr double kEvictAim = 3000;
constexpr double kIdleAim = 0.1;        // share of one core
constexpr auto kFirstAim = 50ms;        // time until the first deletion
constexpr double kRateAim = 0.02;       // maximum relative error of the rate
constexpr double kControllerAim = 0.3;  // share of one core
constexpr std::size_t kDevices = 100;   // per node

struct Settings {
  std::string program;
  std::size_t nodes = 5000;
  std::optional<std::size_t> pods_wanted;
  std::size_t pods = 20'000;  // of the current section
  std::size_t rate = 1000;
  std::vector<std::string> sections;
};

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string NodeText(std::size_t i) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"node-{0}","labels":)"
      R"({{"kubernetes.io/hostname":"node-{0}","topology.kubernetes.io/zone":"z{1}"}}}},)"
      R"("spec":{{"taints":[{{"key":"failure-probability","value":"{2}","effect":"NoSchedule"}}]}},)"
      R"("status":{{"allocatable":{{"cpu":"32","memory":"128Gi","pods":"110"}}}}}})",
      i, i % 3, i % 10);
}

/// Removes the not-ready taint of a new node: no kubelet runs there to report it as ready.
std::string ReadyPatch(std::size_t i) {
  return fmt::format(
      R"({{"spec":{{"taints":[{{"key":"failure-probability","value":"{}","effect":"NoSchedule"}}]}}}})",
      i % 10);
}

std::string PodText(std::size_t i) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"pod-{}","labels":{{"app":"web"}}}},)"
      R"("spec":{{"containers":[{{"name":"web","image":"registry.example.com/web:1","resources":)"
      R"({{"requests":{{"cpu":"100m","memory":"128Mi"}}}}}}],"tolerations":[{{"key":)"
      R"("failure-probability","operator":"Lt","value":"5","effect":"NoSchedule"}}]}}}})",
      i);
}

LoadReport Send(ServerProcess& server, std::string_view method, std::string_view type,
                std::size_t count, int connections,
                const std::function<std::pair<std::string, std::string>(std::size_t)>& make) {
  LoadReport report =
      RunLoad({.url = server.url(),
               .tls = server.tls(),
               .connections = connections,
               .duration = 10min,
               .requests_max = count,
               .next = [&](std::uint64_t i) {
                 auto [target, body] = make(i);
                 return net::Request{.method = std::string(method),
                                     .target = std::move(target),
                                     .headers = {{"Content-Type", std::string(type)}},
                                     .body = std::move(body)};
               }});
  if (report.failures != 0) {
    fmt::print(stderr, "{} of {} requests failed\n", report.failures, count);
    std::exit(1);
  }
  return report;
}

/// Returns the value of a metric; 0 if it does not exist yet.
double Metric(ServerProcess& server, std::string_view line_start) {
  const std::string text = server.Call("GET", "/metrics", "", 200);
  const std::size_t at = text.find(line_start);
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + line_start.size(), nullptr);
}

void CheckBound(ServerProcess& server) {
  const std::string list =
      server.Call("GET", "/api/v1/pods?fieldSelector=spec.nodeName%3D&limit=1", "", 200);
  if (list.find(R"("items":[])") != std::string::npos) return;
  fmt::print(stderr, "a pod that counts as scheduled has no node: {}\n", list.substr(0, 300));
  std::exit(1);
}

void MakeAccount(ServerProcess& server) {
  server.Call("POST", "/api/v1/namespaces/default/serviceaccounts",
              R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}})", 201);
}

constexpr const char* kPending = "/api/v1/pods?fieldSelector=status.phase%3DPending";

std::string_view Met(bool is_met) { return is_met ? "met" : "MISSED"; }

void RunBind(const Settings& settings) {
  const store::TemporaryDirectory directory(store::TemporaryDirectory::OnDisk());
  // No kubelet runs on these nodes, so the node lifecycle controller must not run.
  ServerProcess server(settings.program, directory.path(),
                       {"up", "--controllers=*,-node-lifecycle"});
  MakeAccount(server);
  Send(server, "POST", "application/json", settings.nodes, 64,
       [](std::size_t i) { return std::pair(std::string("/api/v1/nodes"), NodeText(i)); });
  Send(server, "PATCH", "application/merge-patch+json", settings.nodes, 64, [](std::size_t i) {
    return std::pair(fmt::format("/api/v1/nodes/node-{}", i), ReadyPatch(i));
  });

  const double processor = server.ProcessorSeconds();
  const double start = Seconds();
  const LoadReport creating =
      Send(server, "POST", "application/json", settings.pods, 64, [](std::size_t i) {
        return std::pair(std::string("/api/v1/namespaces/default/pods"), PodText(i));
      });
  constexpr std::string_view kScheduled =
      R"(scheduler_schedule_attempts_total{profile="default-scheduler",result="scheduled"} )";
  while (Metric(server, kScheduled) < static_cast<double>(settings.pods)) {
    std::this_thread::sleep_for(20ms);
  }
  const double rate = static_cast<double>(settings.pods) / (Seconds() - start);
  CheckBound(server);
  fmt::print("pods created and bound, {} nodes: {:.0f}/s (at least {:.0f})  {}\n", settings.nodes,
             rate, kBindAim, Met(rate >= kBindAim));
  fmt::print("  created {:.0f}/s; {:.0f} µs of the server's processor time per pod; {} MiB\n",
             creating.per_second(),
             (server.ProcessorSeconds() - processor) * 1e6 / static_cast<double>(settings.pods),
             server.ResidentBytes() >> 20);
}

/// Runs `plimsoll up` with simulated nodes, and waits until they are ready.
class SimulatedCluster {
 public:
  SimulatedCluster(const Settings& settings, std::size_t nodes,
                   const std::vector<std::string>& flags = {})
      : directory_(store::TemporaryDirectory::OnDisk()),
        server_(settings.program, directory_.path(), WordsOf(nodes, flags)) {
    MakeAccount(server_);
    while (Tainted() > 0) std::this_thread::sleep_for(100ms);
  }

  ServerProcess& server() { return server_; }
  const std::string& directory() const { return directory_.path(); }
  std::string Get(const std::string& target) { return server_.Call("GET", target, "", 200); }

  /// Returns the number after a field's name; 0 if the field is missing.
  static double Field(std::string_view json, std::string_view name) {
    const std::string key = fmt::format("\"{}\":", name);
    const std::size_t at = json.find(key);
    return at == json.npos ? 0 : std::strtod(json.data() + at + key.size(), nullptr);
  }
  /// Returns the number of objects that a list request would return.
  std::size_t Count(const std::string& target) {
    const std::string list = Get(target + (target.contains('?') ? "&" : "?") + "limit=1");
    if (list.contains(R"("items":[])")) return 0;
    return 1 + static_cast<std::size_t>(Field(list, "remainingItemCount"));
  }
  void AwaitNone(const std::string& target) {
    while (Count(target) > 0) std::this_thread::sleep_for(100ms);
  }

 private:
  static std::vector<std::string> WordsOf(std::size_t nodes, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"up", "--nodes", std::to_string(nodes)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// Returns the number of nodes with a not-ready taint.
  std::size_t Tainted() {
    const std::string list = Get("/api/v1/nodes");
    std::size_t count = 0;
    constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";
    for (std::size_t at = list.find(kNotReady); at != list.npos;
         at = list.find(kNotReady, at + 1)) {
      ++count;
    }
    return list.find(R"("type":"Ready")") == list.npos ? 1 : count;
  }

  const store::TemporaryDirectory directory_;
  ServerProcess server_;
};

void RunIdle(const Settings& settings) {
  SimulatedCluster cluster(settings, settings.nodes);
  std::this_thread::sleep_for(15s);  // until the work of the start is done
  const double processor = cluster.server().ProcessorSeconds();
  const double start = Seconds();
  std::this_thread::sleep_for(30s);
  const double share = (cluster.server().ProcessorSeconds() - processor) / (Seconds() - start);
  fmt::print("{} nodes that only live: {:.1f} % of a core (at most {:.0f} %)  {}; {} MiB\n",
             settings.nodes, share * 100, kIdleAim * 100, Met(share <= kIdleAim),
             cluster.server().ResidentBytes() >> 20);
}

void RunScale(const Settings& settings) {
  SimulatedCluster cluster(settings, settings.nodes);
  const std::string target = "/apis/apps/v1/namespaces/default/deployments";
  const std::string body = fmt::format(
      R"({{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"web"}},"spec":)"
      R"({{"replicas":{},"selector":{{"matchLabels":{{"app":"web"}}}},"template":{{"metadata":)"
      R"({{"labels":{{"app":"web"}}}},"spec":{{"containers":[{{"name":"c","image":"i:1"}}]}}}}}}}})",
      settings.pods);
  const auto wanted = static_cast<double>(settings.pods);
  double start = Seconds();
  cluster.server().Call("POST", target, body, 201);
  while (SimulatedCluster::Field(cluster.Get(target + "/web"), "readyReplicas") < wanted) {
    std::this_thread::sleep_for(100ms);
  }
  const double up = wanted / (Seconds() - start);
  fmt::print(
      "a Deployment to {} running pods on {} nodes: {:.0f}/s (at least {:.0f})  {}; {} MiB\n",
      settings.pods, settings.nodes, up, kScaleAim, Met(up >= kScaleAim),
      cluster.server().ResidentBytes() >> 20);
  start = Seconds();
  Send(cluster.server(), "PATCH", "application/merge-patch+json", 1, 1, [&](std::size_t) {
    return std::pair(target + "/web", std::string(R"({"spec":{"replicas":0}})"));
  });
  cluster.AwaitNone("/api/v1/pods");
  fmt::print("  and back to none: {:.0f}/s; {} MiB\n", wanted / (Seconds() - start),
             cluster.server().ResidentBytes() >> 20);
}

void RunEvict(const Settings& settings) {
  SimulatedCluster cluster(settings, settings.nodes);
  ServerProcess& server = cluster.server();
  const std::size_t nodes = std::min<std::size_t>(settings.nodes, settings.pods / 20);
  Send(server, "POST", "application/json", settings.pods, 64, [&](std::size_t i) {
    return std::pair(
        std::string("/api/v1/namespaces/default/pods"),
        fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"pod-{}"}},"spec":)"
                    R"({{"nodeName":"node-{}","containers":[{{"name":"c","image":"i:1"}}]}}}})",
                    i, i % nodes));
  });
  cluster.AwaitNone(kPending);
  const std::size_t memory = server.ResidentBytes();
  std::size_t peak = memory;
  const double processor = server.ProcessorSeconds();
  const double start = Seconds();
  constexpr std::string_view kTaint =
      R"({"spec":{"taints":[{"key":"gone","effect":"NoExecute"}]}})";
  constexpr std::string_view kMergePatch = "application/merge-patch+json";
  // The first request uses an open connection, so that only the server is measured.
  server.Call("PATCH", "/api/v1/nodes/node-0", std::string(kTaint), 200, std::string(kMergePatch));
  std::jthread tainting([&] {
    Send(server, "PATCH", kMergePatch, nodes - 1, 8, [&](std::size_t i) {
      return std::pair(fmt::format("/api/v1/nodes/node-{}", i + 1), std::string(kTaint));
    });
  });
  // Polls the first node's pods, which costs the server little.
  const std::string of_first_node = "/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-0";
  while (cluster.Get(of_first_node).find("deletionTimestamp") == std::string::npos) {
  }
  const double first = Seconds() - start;
  // The metric counts a deletion when the server has accepted it; the node then stops the pod.
  constexpr std::string_view kDeleted = "\ntaint_eviction_controller_pod_deletions_total ";
  const auto wanted = static_cast<double>(settings.pods);
  for (double left = wanted; left > 0; left = wanted - Metric(server, kDeleted)) {
    peak = std::max(peak, server.ResidentBytes());
    // The metrics page has a megabyte, so it is polled often only near the end.
    std::this_thread::sleep_for(
        std::chrono::milliseconds(static_cast<int>(std::clamp(left / 20, 20.0, 500.0))));
  }
  const double rate = wanted / (Seconds() - start);
  const double spent = server.ProcessorSeconds() - processor;
  while (cluster.Count("/api/v1/pods") > 0) {
    peak = std::max(peak, server.ResidentBytes());
    std::this_thread::sleep_for(20ms);
  }
  fmt::print("{} pods evicted from {} nodes: {:.0f}/s (at least {:.0f})  {}\n", settings.pods,
             nodes, rate, kEvictAim, Met(rate >= kEvictAim));
  fmt::print(
      "  the first after {:.0f} ms (at most {})  {}; {:.0f} µs of the server's processor time per "
      "pod; {} MiB before, {} MiB at most\n",
      first * 1e3, kFirstAim.count(), Met(first * 1e3 <= kFirstAim.count()), spent / wanted * 1e6,
      memory >> 20, peak >> 20);
}

/// This controller runs in its own `plimsoll controller-manager`, and not in `up`.
constexpr const char* kDeviceController = "device-taint-eviction-controller";

std::vector<std::string> DeviceFlags(const std::string& directory) {
  const std::string path = directory + "/nodes.yaml.template";
  const std::string text = fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: 'node-{{{{i}}}}'}}\n"
      "status: {{capacity: {{cpu: '64', memory: 512Gi, pods: '{0}'}}}}\n---\n"
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n"
      "metadata: {{annotations: {{plimsoll.io/devices: '{0}'}}}}\n"
      "spec: {{driver: gpu.example.com, devices: [{{name: 'gpu-{{{{d}}}}'}}]}}\n",
      kDevices);
  std::ofstream(path) << text;
  return {"--node-template", path, fmt::format("--controllers=*,-{}", kDeviceController)};
}

/// Creates running pods, each with its own claim.
void MakeClaimingPods(SimulatedCluster& cluster, std::size_t count) {
  ServerProcess& server = cluster.server();
  server.Call("POST", "/apis/resource.k8s.io/v1/deviceclasses",
              R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":)"
              R"({"name":"gpu"},"spec":{}})",
              201);
  server.Call("POST", "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates",
              R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":)"
              R"({"name":"gpu"},"spec":{"spec":{"devices":{"requests":[{"name":"gpu","exactly":)"
              R"({"deviceClassName":"gpu"}}]}}}})",
              201);
  Send(server, "POST", "application/json", count, 64, [](std::size_t i) {
    return std::pair(
        std::string("/api/v1/namespaces/default/pods"),
        fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"pod-{:06}"}},"spec":)"
                    R"({{"terminationGracePeriodSeconds":0,"resourceClaims":[{{"name":"gpu",)"
                    R"("resourceClaimTemplateName":"gpu"}}],"containers":[{{"name":"c",)"
                    R"("image":"i:1","resources":{{"claims":[{{"name":"gpu"}}]}}}}]}}}})",
                    i));
  });
  cluster.AwaitNone(kPending);
}

/// Waits until the processes are idle.
void AwaitRest(const std::function<double()>& processor_seconds) {
  constexpr double kRestShare = 0.1;  // share of one core
  constexpr auto kPeriod = 3s;
  double before = 0;
  do {
    before = processor_seconds();
    std::this_thread::sleep_for(kPeriod);
  } while (processor_seconds() - before > kRestShare * kPeriod.count());
}

void RunDevices(const Settings& settings) {
  const store::TemporaryDirectory own(store::TemporaryDirectory::OnDisk());
  SimulatedCluster cluster(settings, (settings.pods + kDevices - 1) / kDevices,
                           DeviceFlags(own.path()));
  MakeClaimingPods(cluster, settings.pods);
  Process controller({settings.program, "controller-manager", "--no-leader-elect",
                      "--secure-port=0", std::string("--controllers=") + kDeviceController,
                      "--kubeconfig", cluster.directory() + "/admin.kubeconfig"},
                     own.path() + "/log");
  AwaitRest([&] { return controller.ProcessorSeconds() + cluster.server().ProcessorSeconds(); });
  const double controller_processor = controller.ProcessorSeconds();
  const double server_processor = cluster.server().ProcessorSeconds();
  const double start = Seconds();
  cluster.server().Call(
      "POST", "/apis/resource.k8s.io/v1/devicetaintrules",
      fmt::format(R"({{"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":)"
                  R"({{"name":"gone"}},"spec":{{"deviceSelector":{{"driver":"gpu.example.com"}},)"
                  R"("taint":{{"key":"gone","effect":"NoExecute","evictionsPerSecond":{}}}}}}})",
                  settings.rate),
      201);
  // The pods have no grace period, so a deletion counts when the server has accepted it. The rate
  // is measured in the middle: the initial burst has none, and the end falls between two polls.
  struct Look {
    double time = 0;
    std::size_t left = 0;
  };
  Look first;
  Look last;
  for (std::size_t left = settings.pods; left > 0;) {
    left = cluster.Count("/api/v1/pods");
    const bool is_middle = left * 10 <= settings.pods * 9 && left * 10 >= settings.pods;
    if (is_middle) last = {Seconds(), left};
    if (first.left == 0) first = last;
    std::this_thread::sleep_for(50ms);
  }
  const double seconds = Seconds() - start;
  const double rate = static_cast<double>(first.left - last.left) / (last.time - first.time);
  const double error = rate / static_cast<double>(settings.rate) - 1;
  const double spent = controller.ProcessorSeconds() - controller_processor;
  const double share = spent / seconds;
  const double rest = cluster.server().ProcessorSeconds() - server_processor;
  const auto pods = static_cast<double>(settings.pods);
  fmt::print("{} pods with devices evicted by a rule: {:.1f}/s ({} within {:.0f} %)  {}\n",
             settings.pods, rate, settings.rate, kRateAim * 100, Met(std::abs(error) <= kRateAim));
  fmt::print(
      "  the controller: {:.1f} % of a core (at most {:.0f} %)  {}; {:.0f} µs a pod; {} MiB\n",
      share * 100, kControllerAim * 100, Met(share <= kControllerAim), spent / pods * 1e6,
      controller.ResidentBytes() >> 20);
  fmt::print("  the rest of the control plane: {:.1f} % of a core; {:.0f} µs a pod; {} MiB\n",
             rest / seconds * 100, rest / pods * 1e6, cluster.server().ResidentBytes() >> 20);
}

struct Section {
  std::string_view name;
  void (*run)(const Settings&);
  std::size_t pods = 20'000;
};
constexpr Section kSections[] = {{"bind", RunBind},
                                 {"idle", RunIdle},
                                 {"scale", RunScale},
                                 {"evict", RunEvict},
                                 {"devices", RunDevices, 50'000}};

bool IsSection(std::string_view word) {
  return std::ranges::any_of(kSections, [&](const Section& one) { return one.name == word; });
}

void Run(Settings settings) {
  for (const auto& [name, run, pods] : kSections) {
    const bool is_wanted = settings.sections.empty() ||
                           std::ranges::find(settings.sections, name) != settings.sections.end();
    if (!is_wanted) continue;
    settings.pods = settings.pods_wanted.value_or(pods);
    run(settings);
    std::fflush(stdout);
  }
}

std::size_t NumberOf(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int count, char** arguments) {
  using namespace plimsoll::bench;
  Settings settings;
  settings.program = PlimsollBeside();
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    const std::size_t at = word.find('=');
    const std::string_view value = at == word.npos ? std::string_view() : word.substr(at + 1);
    if (word.starts_with("--plimsoll=")) {
      settings.program = value;
    } else if (word.starts_with("--nodes=")) {
      settings.nodes = NumberOf(value);
    } else if (word.starts_with("--pods=")) {
      settings.pods_wanted = NumberOf(value);
    } else if (word.starts_with("--rate=")) {
      settings.rate = NumberOf(value);
    } else if (IsSection(word)) {
      settings.sections.emplace_back(word);
    } else {
      fmt::print(stderr,
                 "{}: want --plimsoll=PROGRAM, --nodes=N, --pods=N, --rate=N, or bind, idle, "
                 "scale, evict, devices\n",
                 word);
      return 2;
    }
  }
  Run(settings);
  return 0;
}
