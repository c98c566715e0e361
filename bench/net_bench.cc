// Measures HTTP alone: a server with an empty handler, and clients in another process on the same
// machine. `net_bench [seconds]`.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "base/real_clock.h"
#include "identity.h"
#include "load.h"
#include "net/server.h"
#include "watchers.h"

namespace plimsoll::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSmallSize = 2000;
constexpr int kConnectionsMax = 20'000;
constexpr std::size_t kLargeSize = 100u << 20;

class Repeated final : public net::BodySource {
 public:
  explicit Repeated(Bytes part) : part_(std::move(part)) {}
  bool Read(std::string& out) override {
    for (std::size_t size = 0; size < 16'000; size += part_->size()) out += *part_;
    sent_ += 16'000;
    return sent_ < kLargeSize;
  }

 private:
  Bytes part_;
  std::size_t sent_ = 0;
};

class BenchHandler final : public net::Handler {
 public:
  void Serve(net::Request request, std::shared_ptr<net::Exchange> exchange) override {
    if (request.target == "/watch") {
      auto stream = exchange->Begin(200, {{"Content-Type", "application/json"}});
      const std::scoped_lock lock(mutex_);
      streams_.push_back(std::move(stream));
      return;
    }
    net::Response response{.headers = {{"Content-Type", "application/json"}}};
    if (request.target == "/large") {
      response.body = large_;
    } else if (request.target == "/list") {
      response.source = std::make_unique<Repeated>(small_);
    } else {
      response.body = small_;
    }
    exchange->Respond(std::move(response));
  }

  std::vector<std::shared_ptr<net::Stream>> TakeStreams(std::size_t count) {
    while (true) {
      const std::scoped_lock lock(mutex_);
      if (streams_.size() >= count) return std::move(streams_);
    }
  }

 private:
  const Bytes small_ = MakeBytes(std::string(kSmallSize, '{'));
  const Bytes large_ = MakeBytes(std::string(kLargeSize, '{'));
  std::mutex mutex_;
  std::vector<std::shared_ptr<net::Stream>> streams_;
};

/// Runs the client in a child process, so that its memory and CPU time do not count as the
/// server's, and returns its result.
template <class T>
T InChild(const std::function<T()>& run, const std::function<void()>& meanwhile = [] {}) {
  std::array<int, 2> pipe_ends{};
  PL_ASSERT(pipe(pipe_ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const T result = run();
    PL_ASSERT(write(pipe_ends[1], &result, sizeof result) == sizeof result);
    _exit(0);
  }
  meanwhile();
  T result{};
  PL_ASSERT(read(pipe_ends[0], &result, sizeof result) == sizeof result);
  waitpid(child, nullptr, 0);
  for (const int end : pipe_ends) close(end);
  return result;
}

std::size_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Returns the CPU time of this process, or of its finished children.
double ProcessorSeconds(int whose = RUSAGE_SELF) {
  rusage usage{};
  getrusage(whose, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

struct Fixture {
  Fixture(bool is_tls, const Identity& identity) : client_tls(identity.ForClient()) {
    net::ServerOptions options;
    options.threads = 2;
    // The clients do not authenticate and all come from one address.
    options.connections = {.total_max = kConnectionsMax,
                           .per_address_max = kConnectionsMax,
                           .anonymous_max = kConnectionsMax,
                           .anonymous_per_address_max = kConnectionsMax};
    if (is_tls) options.tls = identity.ForServer();
    server = net::Server::Start(options, handler, log).value();
    url = fmt::format("{}://127.0.0.1:{}", is_tls ? "https" : "http", server->port());
  }

  RealClock clock;
  StderrSink sink;
  Logger log{clock, sink};
  BenchHandler handler;
  std::unique_ptr<net::Server> server;
  std::string url;
  const net::ClientTls client_tls;
};

void MeasureRequests(Fixture& fixture, std::string_view name, const std::string& target,
                     int connections, Duration duration, net::Headers headers = {}) {
  const double before = ProcessorSeconds();
  const double client_before = ProcessorSeconds(RUSAGE_CHILDREN);
  const auto report = InChild<LoadReport>([&] {
    return RunLoad({.url = fixture.url,
                    .tls = fixture.client_tls,
                    .connections = connections,
                    .duration = duration,
                    .next = [&](std::uint64_t) {
                      return net::Request{.method = "GET", .target = target, .headers = headers};
                    }});
  });
  const auto each_us = [&](double seconds) {
    return seconds * 1e6 / static_cast<double>(report.responses);
  };
  fmt::print("{:<40}{}  processor: server {:.1f} µs each, client {:.1f} µs\n", name,
             Describe(report), each_us(ProcessorSeconds() - before),
             each_us(ProcessorSeconds(RUSAGE_CHILDREN) - client_before));
  std::fflush(stdout);
}

std::vector<std::string> WatchTargets(int count) {
  return std::vector<std::string>(static_cast<std::size_t>(count), "/watch");
}

struct FanOut {
  std::uint64_t pieces = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  double seconds = 0;
};

/// Writes `rate` pieces per second to each watcher.
void MeasureFanOut(Fixture& fixture, int watchers, int rate, std::size_t size, Duration duration) {
  const auto total = static_cast<int>(duration / 1s * rate);
  double server_seconds = 0;
  const auto result = InChild<FanOut>(
      [&] {
        Watchers clients(fixture.url, fixture.client_tls, WatchTargets(watchers));
        clients.Read(3000);
        return FanOut{clients.marks(), clients.LagMs(0.5), clients.LagMs(0.99), clients.seconds()};
      },
      [&] {
        const auto streams = fixture.handler.TakeStreams(static_cast<std::size_t>(watchers));
        const double before = ProcessorSeconds();
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < total; ++i) {
          std::this_thread::sleep_until(start + i * 1'000'000us / rate);
          const Bytes text = MakeBytes(fmt::format("{} {}\n", TimeMark(), std::string(size, 'x')));
          for (const auto& stream : streams) stream->Write({text, nullptr});
        }
        for (const auto& stream : streams) stream->End();
        server_seconds = ProcessorSeconds() - before;
      });
  const double wanted = static_cast<double>(watchers) * total;
  fmt::print(
      "{} watchers x {}/s of {} bytes: {:.1f} % delivered, lag p50 {:.1f} ms, p99 {:.1f} ms, "
      "processor per "
      "piece: server {:.2f} µs, client {:.2f} µs\n",
      watchers, rate, size, 100.0 * static_cast<double>(result.pieces) / wanted, result.p50_ms,
      result.p99_ms, server_seconds * 1e6 / wanted, result.seconds * 1e6 / wanted);
  std::fflush(stdout);
}

void MeasureIdle(Fixture& fixture, int watchers) {
  const std::size_t before = ResidentBytes();
  std::size_t after = 0;
  InChild<int>(
      [&] {
        Watchers clients(fixture.url, fixture.client_tls, WatchTargets(watchers));
        clients.Read(2500);
        return 0;
      },
      [&] {
        const auto streams = fixture.handler.TakeStreams(static_cast<std::size_t>(watchers));
        std::this_thread::sleep_for(1500ms);  // until idle connections have released their buffers
        after = ResidentBytes();
      });
  fmt::print("{} idle watchers: {:.1f} MB, {:.1f} KB each\n", watchers,
             static_cast<double>(after - before) / 1e6,
             static_cast<double>(after - before) / 1e3 / watchers);
  std::fflush(stdout);
}

void Main(Duration duration) {
  const RealClock clock;
  const Identity identity(clock.Now());
  for (const bool is_tls : {false, true}) {
    Fixture fixture(is_tls, identity);
    fmt::print("{}\n", is_tls ? "TLS" : "plain");
    MeasureRequests(fixture, "get of 2 KB, 64 connections", "/small", 64, duration);
    MeasureRequests(fixture, "get of 2 KB, 1 connection", "/small", 1, duration);
    MeasureRequests(fixture, "100 MB, 1 connection", "/large", 1, duration);
    MeasureRequests(fixture, "100 MB made on the way, 1 connection", "/list", 1, duration);
    MeasureRequests(fixture, "100 MB made on the way, gzip", "/list", 1, duration,
                    {{"Accept-Encoding", "gzip"}});
    MeasureFanOut(fixture, 1000, 100, 100, duration);
    MeasureFanOut(fixture, 1000, 500, 100, duration);
    // Like a watch with a thousand events per second, of half a kilobyte and of two.
    MeasureFanOut(fixture, 1000, 25, 20'000, duration);
    MeasureFanOut(fixture, 1000, 25, 80'000, duration);
    MeasureIdle(fixture, 10'000);
  }
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 0;
  plimsoll::bench::Main(std::chrono::seconds(seconds > 0 ? seconds : 3));
  return 0;
}
