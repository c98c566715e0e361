// Measures a whole API server from the clients' view. `plimsoll apiserver` runs in its own process,
// with RocksDB, fsync on the disk of TMPDIR, and TLS. The clients run on the same machine.
// `apiserver_bench [--plimsoll=PROGRAM] [--seconds=N] [create] [get] [watch] [fanout] [sweep]
// [idle] [scale]`

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "base/real_clock.h"
#include "codec/json.h"
#include "load.h"
#include "program.h"
#include "server_process.h"
#include "store/rocks_store.h"
#include "store/temporary_directory_for_test.h"
#include "watchers.h"

namespace plimsoll::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::size_t kPodBytes = 2000;

struct Settings {
  std::string program;
  std::chrono::seconds duration = 3s;
  std::vector<std::string> sections;
};

double LoadAverage() {
  double average = 0;
  getloadavg(&average, 1);
  return average;
}

void PrintHead() {
  fmt::print("{:<52} {:>26} {:>12} {:>24} {:>6}\n", "what", "measured", "aim",
             "processor of the server", "load");
}

void Print(std::string_view what, const std::string& measured, std::string_view aim,
           const std::string& processor) {
  fmt::print("{:<52} {:>26} {:>12} {:>24} {:>6.1f}\n", what, measured, aim, processor,
             LoadAverage());
  std::fflush(stdout);
}

/// Returns a pod as a ReplicaSet creates it, of 2 KB.
std::string PodText(std::string_view name, std::string_view node, std::string_view note = "") {
  std::string text = fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","labels":{{"app":"web",)"
      R"("pod-template-hash":"7c9f6d5b8"}},"annotations":{{"note":"{}","padding":"PADDING"}}}},)"
      R"("spec":{{{}"containers":[{{"name":"web","image":"registry.example.com/web:4.12.3",)"
      R"("args":["--listen=:8080"],"ports":[{{"name":"http","containerPort":8080}}],)"
      R"("env":[{{"name":"LOG_LEVEL","value":"info"}}],)"
      R"("resources":{{"requests":{{"cpu":"500m","memory":"512Mi"}}}},"livenessProbe":)"
      R"({{"httpGet":{{"path":"/healthz","port":"http"}},"periodSeconds":10}}}}],"tolerations":)"
      R"([{{"key":"example.com/spot-risk","operator":"Lt","value":"200","effect":"NoSchedule"}}],)"
      R"("nodeSelector":{{"kubernetes.io/arch":"amd64"}}}}}})",
      name, note, node.empty() ? "" : fmt::format(R"("nodeName":"{}",)", node));
  constexpr std::string_view kPadding = "PADDING";
  text.replace(text.find(kPadding), kPadding.size(),
               std::string(kPodBytes - text.size() + kPadding.size(), 'x'));
  return text;
}

std::string NodeText(std::string_view name) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{0}","labels":)"
      R"({{"kubernetes.io/hostname":"{0}","kubernetes.io/arch":"amd64","padding":"{1}"}},)"
      R"("annotations":{{"padding":"{2}"}}}},"spec":{{"taints":[{{"key":"example.com/spot-risk",)"
      R"("value":"120","effect":"NoSchedule"}}]}},"status":{{"capacity":{{"cpu":"8",)"
      R"("memory":"32Gi","pods":"110"}},"allocatable":{{"cpu":"8","memory":"32Gi","pods":"110"}},)"
      R"("conditions":[{{"type":"Ready","status":"True"}}]}}}})",
      name, std::string(60, 'x'), std::string(1500, 'x'));
}

net::Request Post(std::string target, std::string body) {
  return {.method = "POST",
          .target = std::move(target),
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body)};
}

/// Creates the default service account, which pods in the namespace need.
void MakeAccount(ServerProcess& server, std::string_view namespace_) {
  server.Call("POST", fmt::format("/api/v1/namespaces/{}/serviceaccounts", namespace_),
              R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}})", 201);
}

std::string EachUs(double seconds, std::uint64_t count) {
  return fmt::format("{:.1f} µs each", seconds * 1e6 / static_cast<double>(count));
}

std::string RateText(const LoadReport& report) {
  std::string text =
      fmt::format("{:.0f}/s, p99 {:.1f} ms", report.per_second(), report.p99_us / 1e3);
  if (report.failures > 0) text += fmt::format(", {} FAILED", report.failures);
  return text;
}

void MeasureCreate(ServerProcess& server, int connections, std::string_view aim,
                   Duration duration) {
  const double before = server.ProcessorSeconds();
  const LoadReport report = RunLoad(
      {.url = server.url(),
       .tls = server.tls(),
       .connections = connections,
       .duration = duration,
       .next = [&](std::uint64_t number) {
         return Post(std::string(kPods), PodText(fmt::format("c{}-{}", connections, number), ""));
       }});
  Print(fmt::format("create pods of 2 KB, {} connection(s)", connections), RateText(report), aim,
        EachUs(server.ProcessorSeconds() - before, report.responses));
}

void RunCreate(const Settings& settings) {
  const store::TemporaryDirectory directory(store::TemporaryDirectory::OnDisk());
  ServerProcess server(settings.program, directory.path());
  MakeAccount(server, "default");
  // One connection first: after the larger run, RocksDB still compacts in the background.
  MeasureCreate(server, 1, ">= 1,000/s", settings.duration);
  MeasureCreate(server, 64, ">= 8,000/s", settings.duration);
}

void RunGet(const Settings& settings) {
  const store::TemporaryDirectory directory(store::TemporaryDirectory::OnDisk());
  ServerProcess server(settings.program, directory.path());
  MakeAccount(server, "default");
  constexpr std::uint64_t kCount = 100;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    server.Call("POST", std::string(kPods), PodText(fmt::format("p{}", i), ""), 201);
  }
  for (const int connections : {64, 1}) {
    const double before = server.ProcessorSeconds();
    const LoadReport report =
        RunLoad({.url = server.url(),
                 .tls = server.tls(),
                 .connections = connections,
                 .duration = settings.duration,
                 .next = [](std::uint64_t number) {
                   return net::Request{.method = "GET",
                                       .target = fmt::format("{}/p{}", kPods, number % kCount)};
                 }});
    Print(fmt::format("get a pod, {} connection(s)", connections), RateText(report),
          connections == 1 ? "" : ">= 30,000/s",
          EachUs(server.ProcessorSeconds() - before, report.responses));
  }
}

using Write = std::function<net::Request(std::uint64_t number)>;

/// Sends `rate` writes per second over 64 connections.
LoadReport RunWrites(ServerProcess& server, int rate, Duration duration, const Write& write) {
  std::chrono::steady_clock::time_point start;
  return RunLoad({.url = server.url(),
                  .tls = server.tls(),
                  .connections = 64,
                  .duration = duration,
                  .next = [&](std::uint64_t number) {
                    if (number == 0) start = std::chrono::steady_clock::now();
                    std::this_thread::sleep_until(start + number * 1'000'000us / rate);
                    return write(number);
                  }});
}

/// Writes, and reads watch events until no more arrive.
LoadReport WriteAndWatch(ServerProcess& server, int rate, Duration duration, const Write& write,
                         Watchers& watchers) {
  LoadReport writes;
  std::atomic<bool> is_written = false;
  std::thread writer([&] {
    writes = RunWrites(server, rate, duration, write);
    is_written = true;
  });
  while (!is_written) watchers.Read(100);
  writer.join();
  watchers.Read(2000);
  return writes;
}

/// Returns the marks of all objects in the order of their writes, which a watcher must have got.
Sequence WrittenMarks(ServerProcess& server, const std::string& target) {
  const auto list = codec::ParseJson(server.Call("GET", target, "", 200),
                                     {.bytes_max = 1u << 30, .values_max = 1u << 30})
                        .value();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> writes;  // revision and mark
  for (const codec::Value& object : list->root().Find("items")->items()) {
    const auto number = [](std::string_view text) {
      return std::strtoull(std::string(text).c_str(), nullptr, 10);
    };
    const codec::Value& metadata = *object.Find("metadata");
    const std::string_view note = metadata.Find("annotations")->Find("note")->text();
    writes.emplace_back(number(metadata.Find("resourceVersion")->text()), number(note.substr(1)));
  }
  std::ranges::sort(writes);
  Sequence sequence;
  for (const auto& [revision, mark] : writes) sequence.Add(mark);
  return sequence;
}

std::string LagText(const Watchers& watchers) {
  return fmt::format("p50 {:.0f} ms, p99 {:.0f} ms", watchers.LagMs(0.5), watchers.LagMs(0.99));
}

constexpr std::size_t kWatchers = 1000;

/// The lag starts when a client sends its request, so it includes the write and its fsync.
void MeasureKubelets(ServerProcess& server, Duration duration) {
  std::vector<std::string> targets;
  for (std::size_t i = 0; i < kWatchers; ++i) {
    targets.push_back(
        fmt::format("/api/v1/pods?watch=true&fieldSelector=spec.nodeName%3Dnode-{}", i));
  }
  Watchers watchers(server.url(), server.tls(), targets);
  watchers.Read(500);
  constexpr int kRate = 1000;
  const double before = server.ProcessorSeconds();
  const LoadReport writes = WriteAndWatch(
      server, kRate, duration,
      [](std::uint64_t number) {
        return Post(std::string(kPods),
                    PodText(fmt::format("w{}", number), fmt::format("node-{}", number % kWatchers),
                            TimeMark()));
      },
      watchers);
  Print("1,000 kubelets, each its node's pods, 1000/s", LagText(watchers), "p99 <= 100",
        EachUs(server.ProcessorSeconds() - before, watchers.marks()));
  fmt::print("  {:.0f} writes/s, {} failed; {} events delivered of {}\n", writes.per_second(),
             writes.failures, watchers.marks(), WrittenMarks(server, std::string(kPods)).count);
}

struct FanOut {
  std::string_view name;
  std::string_view aim;
  int rate;
  std::size_t padding;
};

void MeasureFanOut(ServerProcess& server, const FanOut& fan_out, Duration duration) {
  // Each part uses its own namespace, because a watch starts with the existing objects.
  std::string maps;
  const auto start_in = [&](const std::string& namespace_) {
    server.Call(
        "POST", "/api/v1/namespaces",
        fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})",
                    namespace_),
        201);
    maps = fmt::format("/api/v1/namespaces/{}/configmaps", namespace_);
  };
  const Write write = [&](std::uint64_t number) {
    return Post(maps, fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":)"
                                  R"({{"name":"m{}","annotations":{{"note":"{}"}}}},)"
                                  R"("data":{{"padding":"{}"}}}})",
                                  number, TimeMark(), std::string(fan_out.padding, 'x')));
  };
  // First without watchers, to measure the cost of the writes alone.
  start_in(fmt::format("unwatched-{}-{}", fan_out.rate, fan_out.padding));
  double before = server.ProcessorSeconds();
  const LoadReport unwatched = RunWrites(server, fan_out.rate, duration, write);
  const double write_us = (server.ProcessorSeconds() - before) * 1e6 /
                          static_cast<double>(std::max<std::uint64_t>(unwatched.responses, 1));

  start_in(fmt::format("watched-{}-{}", fan_out.rate, fan_out.padding));
  Watchers watchers(server.url(), server.tls(),
                    std::vector<std::string>(kWatchers, maps + "?watch=true"));
  watchers.Read(500);
  before = server.ProcessorSeconds();
  const double client_before = watchers.seconds();
  const LoadReport writes = WriteAndWatch(server, fan_out.rate, duration, write, watchers);
  const double seconds = server.ProcessorSeconds() - before;
  const double client_seconds = watchers.seconds() - client_before;
  const Sequence written = WrittenMarks(server, maps);
  const auto marks = static_cast<double>(std::max<std::uint64_t>(watchers.marks(), 1));
  Print(fmt::format("1,000 watchers of {}, {}/s", fan_out.name, fan_out.rate), LagText(watchers),
        fan_out.aim, EachUs(seconds, watchers.marks()));
  fmt::print(
      "  {:.0f} writes/s, {} failed; {} watchers of {} got all {} events in order, {:.0f} bytes "
      "each\n  a delivery: {:.2f} µs of the server without the write ({:.0f} µs), {:.2f} µs of "
      "the client\n",
      writes.per_second(), writes.failures, watchers.CountReceivers(written), kWatchers,
      written.count, static_cast<double>(watchers.bytes()) / marks,
      seconds * 1e6 / marks - write_us / static_cast<double>(kWatchers), write_us,
      client_seconds * 1e6 / marks);
  std::fflush(stdout);
}

void RunWatch(const Settings& settings) {
  const store::TemporaryDirectory directory(store::TemporaryDirectory::OnDisk());
  ServerProcess server(settings.program, directory.path());
  MakeAccount(server, "default");
  MeasureKubelets(server, settings.duration);
}

void MeasureFanOuts(const Settings& settings, const std::vector<FanOut>& fan_outs) {
  const store::TemporaryDirectory directory(store::TemporaryDirectory::OnDisk());
  ServerProcess server(settings.program, directory.path());
  for (const FanOut& fan_out : fan_outs) MeasureFanOut(server, fan_out, settings.duration);
}

constexpr std::size_t kPaddingOf2Kb = 1500;

void RunFanOut(const Settings& settings) {
  MeasureFanOuts(settings, {{"all config maps, small", "", 100, 1},
                            {"all config maps, small", "p99 <= 100", 1000, 1},
                            {"all config maps of 2 KB", "p99 <= 100", 1000, kPaddingOf2Kb}});
}

/// Measures how many large events per second all watchers get in time.
void RunSweep(const Settings& settings) {
  std::vector<FanOut> fan_outs;
  for (const int rate : {200, 300, 400, 500, 600, 700}) {
    fan_outs.push_back({"all config maps of 2 KB", "p99 <= 100", rate, kPaddingOf2Kb});
  }
  MeasureFanOuts(settings, fan_outs);
}

/// Fills a store with many objects, made from the bytes that the server stored for one.
class Filler {
 public:
  explicit Filler(const std::string& directory)
      : store_(store::OpenRocksStore({.directory = directory + "/store"}, clock_, log_, nullptr)
                   .value()) {}

  std::string Stored(std::string_view key) { return *store_->Get(key).value().value().value; }

  void Put(std::string key, std::string value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return in_flight_ < 1000; });
    ++in_flight_;
    lock.unlock();
    store_->Commit({std::move(key), MakeBytes(std::move(value)), store::kNoRevision},
                   [this](const Result<store::Revision>& done) {
                     PL_ASSERT(done.has_value());
                     const std::lock_guard done_lock(mutex_);
                     --in_flight_;
                     changed_.notify_one();
                   });
  }

  ~Filler() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return in_flight_ == 0; });
  }
  Filler(const Filler&) = delete;
  Filler& operator=(const Filler&) = delete;

 private:
  RealClock clock_;
  StderrSink sink_;
  Logger log_{clock_, sink_, {.verbosity = -1}};
  std::mutex mutex_;
  std::condition_variable changed_;
  int in_flight_ = 0;
  std::unique_ptr<store::Store> store_;
};

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

constexpr int kNodes = 5000;
constexpr int kListedPods = 100'000;
constexpr int kOtherPods = 50'000;

/// Stores 5,000 nodes and 150,000 pods, 100,000 of them in one namespace.
void Fill(const Settings& settings, const std::string& directory) {
  {
    ServerProcess server(settings.program, directory);
    MakeAccount(server, "default");
    server.Call("POST", "/api/v1/nodes", NodeText("node-seed"), 201);
    server.Call("POST", std::string(kPods), PodText("pod-seed", "node-seed"), 201);
  }
  Filler filler(directory);
  const std::string node_key = "/registry/minions/node-seed";
  const std::string pod_key = "/registry/pods/default/pod-seed";
  const std::string node = filler.Stored(node_key);
  const std::string pod = filler.Stored(pod_key);
  fmt::print("filling with {} nodes of {} bytes and {} pods of {} bytes as stored\n", kNodes,
             node.size(), kListedPods + kOtherPods, pod.size());
  for (int i = 1; i < kNodes; ++i) {
    const std::string name = fmt::format("node-{:04}", i);
    filler.Put(Replaced(node_key, "node-seed", name), Replaced(node, "node-seed", name));
  }
  for (int i = 0; i < kListedPods + kOtherPods; ++i) {
    const std::string name = fmt::format("pod-{:06}", i);
    const std::string node_name = fmt::format("node-{:04}", i % kNodes);
    const std::string_view namespace_ = i < kListedPods ? "many" : "others";
    std::string text = Replaced(Replaced(pod, "pod-seed", name), "node-seed", node_name);
    text = Replaced(std::move(text), R"("namespace":"default")",
                    fmt::format(R"("namespace":"{}")", namespace_));
    filler.Put(fmt::format("/registry/pods/{}/{}", namespace_, name), std::move(text));
  }
}

std::string MegabytesText(std::size_t bytes) {
  return fmt::format("{:.0f} MiB", static_cast<double>(bytes) / (1 << 20));
}

void RunScale(const Settings& settings) {
  const store::TemporaryDirectory directory(store::TemporaryDirectory::OnDisk());
  Fill(settings, directory.path());
  malloc_trim(0);
  ServerProcess server(settings.program, directory.path());
  Print("start with 5,000 nodes and 150,000 pods", fmt::format("{:.2f} s", server.start_seconds()),
        "<= 5 s", fmt::format("{:.2f} s", server.ProcessorSeconds()));
  Print("resident memory then", MegabytesText(server.ResidentBytes()), "<= 1,536 MiB", "");
  for (const std::string_view query : {"", "?limit=500"}) {
    const double before = server.ProcessorSeconds();
    const LoadReport report = RunLoad(
        {.url = server.url(),
         .tls = server.tls(),
         .connections = 1,
         .duration = settings.duration,
         .next = [&](std::uint64_t) {
           return net::Request{.method = "GET",
                               .target = fmt::format("/api/v1/namespaces/many/pods{}", query)};
         }});
    const double seconds = server.ProcessorSeconds() - before;
    Print(query.empty() ? "list 100,000 pods" : "list the first 500 of 100,000 pods",
          fmt::format("{:.0f} MB/s", report.megabytes_per_second()),
          query.empty() ? ">= 150 MB/s" : "",
          fmt::format("{:.1f} ms per 100 MB",
                      seconds * 1e3 / static_cast<double>(report.body_bytes) * 1e8));
  }
  Print("resident memory after that", MegabytesText(server.ResidentBytes()), "<= 1,536 MiB", "");
}

void RunIdle(const Settings& settings) {
  const store::TemporaryDirectory directory(store::TemporaryDirectory::OnDisk());
  ServerProcess server(settings.program, directory.path());
  const std::string before = MegabytesText(server.ResidentBytes());
  Watchers watchers(server.url(), server.tls(),
                    std::vector<std::string>(10'000, "/api/v1/pods?watch=true"));
  watchers.Read(2000);  // until idle connections have released their buffers
  Print(fmt::format("10,000 idle watches, resident memory; {} before", before),
        MegabytesText(server.ResidentBytes()), "<= 1,024 MiB", "");
}

Settings Parse(int argc, char** argv) {
  Settings settings{.program = PlimsollBeside()};
  constexpr std::string_view kProgram = "--plimsoll=";
  constexpr std::string_view kSeconds = "--seconds=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with(kProgram)) {
      settings.program = word.substr(kProgram.size());
    } else if (word.starts_with(kSeconds)) {
      settings.duration = std::chrono::seconds(std::max(1, std::atoi(argv[i] + kSeconds.size())));
    } else {
      settings.sections.emplace_back(word);
    }
  }
  return settings;
}

int Main(const Settings& settings) {
  const std::vector<std::pair<std::string, void (*)(const Settings&)>> sections = {
      {"create", RunCreate}, {"get", RunGet},   {"watch", RunWatch}, {"fanout", RunFanOut},
      {"sweep", RunSweep},   {"idle", RunIdle}, {"scale", RunScale}};
  for (const std::string& wanted : settings.sections) {
    if (std::ranges::none_of(sections, [&](const auto& one) { return one.first == wanted; })) {
      fmt::print(stderr, "no section {}: create, get, watch, fanout, sweep, idle, scale\n", wanted);
      return 2;
    }
  }
  PrintHead();
  for (const auto& [name, run] : sections) {
    if (settings.sections.empty() ||
        std::ranges::find(settings.sections, name) != settings.sections.end())
      run(settings);
  }
  return 0;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  return plimsoll::bench::Main(plimsoll::bench::Parse(argc, argv));
}
