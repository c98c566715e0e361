// The whole control plane as its clients see it: `plimsoll up` in a process of its own, RocksDB
// with sync on the disk of TMPDIR, TLS, and a client on the same machine that creates pods. A pod
// counts when it is bound.
// `cluster_bench [--plimsoll=PROGRAM] [--nodes=N] [--pods=N]`

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "load.h"
#include "server_process.h"
#include "store/temporary_directory.h"

namespace plimsoll::bench {
namespace {

using namespace std::chrono_literals;

constexpr double kAim = 3000;  // pods a second

struct Settings {
  std::string program;
  std::size_t nodes = 5000;
  std::size_t pods = 20'000;
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

/// Without the taint that every new node gets: no agent lives there to say that it is ready.
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

/// The value of a metric; 0 when it is not there yet.
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

void Run(const Settings& settings) {
  const store::TemporaryDirectory directory(store::TemporaryDirectory::OnDisk());
  ServerProcess server(settings.program, directory.path(), "up");
  server.Call("POST", "/api/v1/namespaces/default/serviceaccounts",
              R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}})", 201);
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
             rate, kAim, rate >= kAim ? "met" : "MISSED");
  fmt::print("  created {:.0f}/s; {:.0f} µs of the server's processor time per pod; {} MiB\n",
             creating.per_second(),
             (server.ProcessorSeconds() - processor) * 1e6 / static_cast<double>(settings.pods),
             server.ResidentBytes() >> 20);
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
  settings.program =
      std::filesystem::canonical("/proc/self/exe").parent_path().string() + "/plimsoll";
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    const std::size_t at = word.find('=');
    const std::string_view value = at == word.npos ? std::string_view() : word.substr(at + 1);
    if (word.starts_with("--plimsoll=")) settings.program = value;
    if (word.starts_with("--nodes=")) settings.nodes = NumberOf(value);
    if (word.starts_with("--pods=")) settings.pods = NumberOf(value);
  }
  Run(settings);
  return 0;
}
