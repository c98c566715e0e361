// Measures two API servers on three etcd members, all on this machine, from the clients' view:
//
//   create  objects of 1 KB, compared with writes of the same size by a plain gRPC client with
//           as many connections, in turns: puts, and what a create costs etcd, that is a
//           compare-and-swap that two watchers receive
//   check   the same creates from 500 connections, compared with etcd's own client, `etcdctl
//           check perf --load=l`: 500 clients for a minute, with values of 1,024 bytes
//   start   time until a server is ready when etcd holds --pods pods
//
// `etcd_bench [--plimsoll=PROGRAM] [--seconds=N] [--connections=N] [--pods=N] [--etcd-flag=F]
//  [create] [check] [start]`

#include <fmt/format.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "load.h"
#include "program.h"
#include "server_process.h"
#include "store/etcd/endpoint.h"
#include "store/etcd/etcd_process_for_test.h"
#include "store/etcd/rpc.grpc.pb.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::bench {
namespace {

using namespace std::chrono_literals;
using store::TemporaryDirectory;
using store::etcd::EtcdCluster;
namespace pb = etcdserverpb;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::size_t kServers = 2;
constexpr std::size_t kMembers = 3;
constexpr int kTurns = 3;

struct Settings {
  std::string program;
  std::chrono::seconds duration = 5s;
  int connections = 64;
  std::size_t pods = 150'000;
  std::vector<std::string> etcd_flags;
  std::vector<std::string> sections;
};

std::shared_ptr<grpc::Channel> OwnConnection(const std::string& endpoint) {
  grpc::ChannelArguments arguments;
  // By default, channels to one member share a connection.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(store::etcd::ParseEndpoint(endpoint).value().address,
                                   grpc::InsecureChannelCredentials(), arguments);
}

/// Receives every change below a prefix, and ignores it.
class Watcher {
 public:
  Watcher(const std::string& endpoint, const std::string& prefix)
      : stub_(pb::Watch::NewStub(OwnConnection(endpoint))), stream_(stub_->Watch(&context_)) {
    pb::WatchRequest request;
    request.mutable_create_request()->set_key(prefix);
    std::string end = prefix;
    ++end.back();
    request.mutable_create_request()->set_range_end(end);
    pb::WatchResponse created;
    PL_ASSERT(stream_->Write(request) && stream_->Read(&created) && created.created());
    thread_ = std::jthread([this] {
      pb::WatchResponse response;
      while (stream_->Read(&response)) {
      }
    });
  }
  ~Watcher() { context_.TryCancel(); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  grpc::ClientContext context_;
  std::unique_ptr<pb::Watch::Stub> stub_;
  std::unique_ptr<grpc::ClientReaderWriter<pb::WatchRequest, pb::WatchResponse>> stream_;
  std::jthread thread_;
};

/// Put overwrites any value. Swap writes only if the key does not exist, like a create.
enum class Form { Put, Swap };

/// Connections to etcd that share a number of concurrent writes, on one thread.
class Writers {
 public:
  Writers(const std::vector<std::string>& endpoints, int connections, int writes,
          std::string prefix)
      : prefix_(std::move(prefix)), writes_max_(static_cast<std::size_t>(writes)) {
    for (int i = 0; i < connections; ++i) {
      stubs_.push_back(pb::KV::NewStub(
          OwnConnection(endpoints[static_cast<std::size_t>(i) % endpoints.size()])));
    }
  }

  /// Writes until the time is over or `most` writes are done. Returns the writes per second.
  double Run(Form form, std::chrono::seconds duration, std::uint64_t most,
             const std::function<std::string(std::uint64_t)>& value) {
    const auto begin = std::chrono::steady_clock::now();
    const auto end = begin + duration;
    std::uint64_t done = 0;
    std::uint64_t next = 0;
    std::vector<std::unique_ptr<Write>> writes(writes_max_);
    const auto start = [&](std::size_t index) {
      pb::PutRequest put;
      put.set_key(fmt::format("{}{:09}", prefix_, next));
      put.set_value(value(next++));
      pb::KV::Stub& stub = *stubs_[index % stubs_.size()];
      writes[index] =
          form == Form::Put ? Begin(stub, put, index) : Begin(stub, SwapOf(std::move(put)), index);
    };
    for (std::size_t i = 0; i < writes.size(); ++i) start(i);
    std::size_t running = writes.size();
    while (running > 0) {
      void* tag = nullptr;
      bool is_good = false;
      PL_ASSERT(queue_.Next(&tag, &is_good));
      const auto index = reinterpret_cast<std::size_t>(tag);
      PL_ASSERT(is_good && writes[index]->status.ok());
      ++done;
      if (std::chrono::steady_clock::now() < end && next < most) {
        start(index);
      } else {
        --running;
      }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return static_cast<double>(done) / took.count();
  }

 private:
  struct Write {
    virtual ~Write() = default;
    grpc::ClientContext context;
    grpc::Status status;
  };
  template <class Response>
  struct WriteOf final : Write {
    Response response;
    std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> reader;
  };

  static pb::TxnRequest SwapOf(pb::PutRequest put) {
    pb::TxnRequest swap;
    pb::Compare& compare = *swap.add_compare();
    compare.set_key(put.key());
    compare.set_target(pb::Compare::MOD);
    compare.set_result(pb::Compare::EQUAL);
    compare.set_mod_revision(0);
    swap.add_failure()->mutable_request_range()->set_key(put.key());
    *swap.add_success()->mutable_request_put() = std::move(put);
    return swap;
  }

  std::unique_ptr<Write> Begin(pb::KV::Stub& stub, const pb::PutRequest& put, std::size_t tag) {
    auto write = std::make_unique<WriteOf<pb::PutResponse>>();
    write->reader = stub.AsyncPut(&write->context, put, &queue_);
    return Await(std::move(write), tag);
  }
  std::unique_ptr<Write> Begin(pb::KV::Stub& stub, const pb::TxnRequest& swap, std::size_t tag) {
    auto write = std::make_unique<WriteOf<pb::TxnResponse>>();
    write->reader = stub.AsyncTxn(&write->context, swap, &queue_);
    return Await(std::move(write), tag);
  }
  template <class Response>
  static std::unique_ptr<Write> Await(std::unique_ptr<WriteOf<Response>> write, std::size_t tag) {
    write->reader->Finish(&write->response, &write->status, reinterpret_cast<void*>(tag));
    return write;
  }

  const std::string prefix_;
  const std::size_t writes_max_;
  std::vector<std::unique_ptr<pb::KV::Stub>> stubs_;
  grpc::CompletionQueue queue_;
};

std::string EndpointList(const EtcdCluster& cluster) {
  std::string list;
  for (const std::string& one : cluster.endpoints()) list += (list.empty() ? "" : ",") + one;
  return list;
}

/// Starts a server. It uses the certificate authority of the first server, if there is one.
std::unique_ptr<ServerProcess> StartServer(const Settings& settings, const EtcdCluster& cluster,
                                           const std::string& directory, const std::string& first) {
  if (!first.empty()) {
    std::filesystem::copy(first + "/pki", directory + "/pki",
                          std::filesystem::copy_options::recursive);
  }
  // High enough that no client gets 429.
  return std::make_unique<ServerProcess>(
      settings.program, directory,
      std::vector<std::string>{"apiserver", "--etcd-servers=" + EndpointList(cluster),
                               "--max-mutating-requests-inflight=500"});
}

/// Returns the request body. The stored object also has the fields that the server adds.
std::string MapText(std::string_view name) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}},"data":{{"k":"{}"}}}})",
      name, std::string(720, 'x'));
}

std::size_t StoredBytes(const EtcdCluster& cluster, const std::string& key) {
  const auto place = store::etcd::ParseEndpoint(cluster.endpoints().front());
  const auto stub = pb::KV::NewStub(
      grpc::CreateChannel(place.value().address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  pb::RangeRequest request;
  request.set_key(key);
  pb::RangeResponse response;
  PL_ASSERT(stub->Range(&context, request, &response).ok() && response.kvs_size() == 1);
  return response.kvs(0).value().size();
}

/// Creates objects through all servers at once.
double Create(const Settings& settings, const std::vector<std::unique_ptr<ServerProcess>>& servers,
              int turn) {
  std::vector<LoadReport> reports(servers.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    threads.emplace_back([&, i] {
      reports[i] = RunLoad({.url = servers[i]->url(),
                            .tls = servers[i]->tls(),
                            .connections = settings.connections / static_cast<int>(servers.size()),
                            .duration = settings.duration,
                            .next = [&, i](std::uint64_t number) {
                              net::Request request{.method = "POST", .target = std::string(kMaps)};
                              request.headers.Add("Content-Type", "application/json");
                              request.body = MapText(fmt::format("m-{}-{}-{}", turn, i, number));
                              return request;
                            }});
    });
  }
  double rate = 0;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    threads[i].join();
    PL_ASSERT(reports[i].failures == 0);
    rate += reports[i].per_second();
  }
  return rate;
}

/// Returns etcd's rate without API servers: puts over many connections to all members, or
/// compare-and-swaps over one connection per server to one member.
double Alone(const Settings& settings, const EtcdCluster& cluster, Form form, int turn,
             std::size_t size) {
  const std::string prefix = fmt::format("/alone/{}/{}/", static_cast<int>(form), turn);
  std::vector<std::unique_ptr<Watcher>> watchers;
  if (form == Form::Swap) {
    for (std::size_t i = 0; i < kServers; ++i) {
      watchers.push_back(std::make_unique<Watcher>(cluster.endpoints().front(), prefix));
    }
  }
  const bool is_put = form == Form::Put;
  return Writers(is_put ? cluster.endpoints() : std::vector{cluster.endpoints().front()},
                 is_put ? settings.connections : static_cast<int>(kServers), settings.connections,
                 prefix)
      .Run(form, settings.duration, UINT64_MAX,
           [&](std::uint64_t) { return std::string(size, 'x'); });
}

std::vector<std::unique_ptr<ServerProcess>> StartServers(
    const Settings& settings, const EtcdCluster& cluster,
    const std::vector<TemporaryDirectory>& directories) {
  std::vector<std::unique_ptr<ServerProcess>> servers;
  for (const TemporaryDirectory& directory : directories) {
    servers.push_back(StartServer(settings, cluster, directory.path(),
                                  servers.empty() ? "" : directories.front().path()));
  }
  return servers;
}

void RunCreate(const Settings& settings) {
  EtcdCluster cluster(kMembers, settings.etcd_flags, true);
  const std::vector<TemporaryDirectory> directories(kServers);
  const auto servers = StartServers(settings, cluster, directories);
  servers.front()->Call("POST", std::string(kMaps), MapText("size"), 201);
  const std::size_t size = StoredBytes(cluster, "/registry/configmaps/default/size");
  fmt::print("creates of {} bytes as stored, {} connections, {} s each, by turns\n", size,
             settings.connections, settings.duration.count());
  double best_put = 0;
  double best_swap = 0;
  double best_create = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const double put = Alone(settings, cluster, Form::Put, turn, size);
    const double swap = Alone(settings, cluster, Form::Swap, turn, size);
    const double create = Create(settings, servers, turn);
    fmt::print(
        "  etcd alone: puts {:>5.0f}/s, compare-and-swap, watched {:>5.0f}/s   two API servers "
        "{:>5.0f}/s\n",
        put, swap, create);
    std::fflush(stdout);
    best_put = std::max(best_put, put);
    best_swap = std::max(best_swap, swap);
    best_create = std::max(best_create, create);
  }
  fmt::print(
      "best of each: {:.0f}/s, {:.0f} % of the puts; the aim is 70 %. {:.0f} % of compare-and-swap "
      "({:.0f}/s), which is {:.0f} % of the puts ({:.0f}/s)\n",
      best_create, 100 * best_create / best_put, 100 * best_create / best_swap, best_swap,
      100 * best_swap / best_put, best_put);
}

/// Returns the rate that etcdctl reports for a minute with its own etcd cluster.
double CheckPerf(const Settings& settings) {
  const EtcdCluster cluster(kMembers, settings.etcd_flags, true);
  const std::string command =
      "ETCDCTL_API=3 etcdctl --endpoints=" + EndpointList(cluster) + " check perf --load=l 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  PL_ASSERT(pipe != nullptr);
  std::string said;
  for (int next = std::fgetc(pipe); next != EOF; next = std::fgetc(pipe)) {
    said.push_back(static_cast<char>(next));
  }
  pclose(pipe);  // also fails if it finds etcd slow
  // Parses "PASS: Throughput is 7800 writes/s", or "FAIL: Throughput too low: 3900 writes/s".
  const std::size_t unit = said.find(" writes/s");
  PL_ASSERT(unit != std::string::npos);
  return std::stod(said.substr(said.rfind(' ', unit - 1)));
}

/// Returns the rate of creates for a minute with a new etcd cluster.
double CreateForAMinute(Settings settings) {
  const EtcdCluster cluster(kMembers, settings.etcd_flags, true);
  const std::vector<TemporaryDirectory> directories(kServers);
  settings.connections = 500;
  settings.duration = 60s;
  return Create(settings, StartServers(settings, cluster, directories), 0);
}

void RunCheck(const Settings& settings) {
  fmt::print("creates from 500 connections beside `etcdctl check perf --load=l`, a minute each\n");
  for (int turn = 0; turn < kTurns; ++turn) {
    const double put = CheckPerf(settings);
    const double create = CreateForAMinute(settings);
    fmt::print(
        "  etcdctl: puts {:>5.0f}/s   two API servers {:>5.0f}/s, {:.0f} %; the aim is 70 %\n", put,
        create, 100 * create / put);
    std::fflush(stdout);
  }
}

/// Returns a pod of about 2 KB as it is stored.
std::string StoredPod(std::uint64_t number) {
  return fmt::format(
      R"({{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"pod-{0:09}","namespace":"default",)"
      R"("uid":"00000000-0000-4000-8000-{0:012}","creationTimestamp":"2026-01-01T00:00:00Z",)"
      R"("labels":{{"app":"web","pod-template-hash":"7c9f6d5b8"}},"annotations":{{"note":"{1}"}}}},)"
      R"("spec":{{"nodeName":"node-{2}","containers":[{{"name":"web",)"
      R"("image":"registry.example.com/web:4.12.3","resources":{{"requests":{{"cpu":"500m",)"
      R"("memory":"512Mi"}}}}}}],"restartPolicy":"Always","schedulerName":"default-scheduler"}},)"
      R"("status":{{"phase":"Running"}}}})",
      number, std::string(1400, 'x'), number % 5'000);
}

void RunStart(const Settings& settings) {
  EtcdCluster cluster(kMembers, settings.etcd_flags, true);
  Writers(cluster.endpoints(), 256, 256, "/registry/pods/default/pod-")
      .Run(Form::Put, 1h, settings.pods, StoredPod);
  const TemporaryDirectory directory;
  const auto server = StartServer(settings, cluster, directory.path(), "");
  const std::string list = server->Call("GET", "/api/v1/namespaces/default/pods?limit=1", "", 200);
  const std::string wanted = fmt::format("\"remainingItemCount\":{}", settings.pods - 1);
  PL_ASSERT(list.contains(wanted));
  fmt::print(
      "start with {} pods of {} bytes in etcd: {:.2f} s, {:.1f} s of them on a processor, "
      "{} MB; the aim is 10 s for 150000\n",
      settings.pods, StoredPod(0).size(), server->start_seconds(), server->ProcessorSeconds(),
      server->ResidentBytes() >> 20);
}

bool IsWanted(const Settings& settings, std::string_view name) {
  return settings.sections.empty() ||
         std::ranges::find(settings.sections, name) != settings.sections.end();
}

}  // namespace
}  // namespace plimsoll::bench

int main(int count, char** arguments) {
  using namespace plimsoll::bench;
  Settings settings;
  settings.program = PlimsollBeside();
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    const std::string value = word.substr(std::min(word.find('=') + 1, word.size()));
    if (word.starts_with("--plimsoll=")) {
      settings.program = value;
    } else if (word.starts_with("--seconds=")) {
      settings.duration = std::chrono::seconds(std::stoi(value));
    } else if (word.starts_with("--connections=")) {
      settings.connections = std::stoi(value);
    } else if (word.starts_with("--pods=")) {
      settings.pods = std::stoul(value);
    } else if (word.starts_with("--etcd-flag=")) {
      settings.etcd_flags.push_back(value);
    } else if (word == "create" || word == "check" || word == "start") {
      settings.sections.push_back(word);
    } else {
      fmt::print(stderr,
                 "{}: want --plimsoll=PROGRAM, --seconds=N, --connections=N, --pods=N, "
                 "--etcd-flag=FLAG, or create, check, start\n",
                 word);
      return 2;
    }
  }
  if (const std::string missing = plimsoll::store::etcd::EtcdProcess::Missing(); !missing.empty()) {
    fmt::print(stderr, "{}\n", missing);
    return 0;
  }
  if (IsWanted(settings, "create")) RunCreate(settings);
  if (IsWanted(settings, "check")) RunCheck(settings);
  if (IsWanted(settings, "start")) RunStart(settings);
  return 0;
}
