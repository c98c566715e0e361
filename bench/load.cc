#include "load.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "net/channel.h"
#include "net/client_connection.h"
#include "net/http1_parser.h"
#include "net/socket_address.h"
#include "net/tls.h"

namespace plimsoll::bench {
namespace {

using net::Channel;
using SteadyTime = std::chrono::steady_clock::time_point;

SteadyTime Now() { return std::chrono::steady_clock::now(); }

struct Shared {
  const LoadOptions& options;
  net::Endpoint endpoint;
  net::SharedSslContext context;
  std::atomic<std::uint64_t> next = 0;
  std::atomic<std::uint64_t> answered = 0;

  bool IsLast(std::uint64_t number) const {
    return options.requests_max != 0 && number >= options.requests_max;
  }
};

/// One connection. It parses as little HTTP as possible, because it shares the CPU with the server.
class Worker {
 public:
  Worker(Shared& shared, LoadReport& report, std::vector<float>& times, int poller)
      : shared_(shared), report_(report), times_(times), poller_(poller) {
    Open();
  }

  void OnReady(std::uint32_t events, std::string& scratch) {
    if ((events & (EPOLLIN | EPOLLRDHUP)) != 0) channel_->MarkReadable();
    if (!Send()) return Fail();
    while (true) {
      const Channel::Transfer got = channel_->Read(scratch.data(), scratch.size());
      if (got.outcome == Channel::Outcome::WantRead) return;
      if (got.outcome != Channel::Outcome::Done) return Fail();
      if (!Take({scratch.data(), got.bytes})) return Fail();
    }
  }

  void Begin() {
    const std::uint64_t number = shared_.next++;
    if (shared_.IsLast(number)) return;
    const net::Request request = shared_.options.next(number);
    out_ = request.method + " " + shared_.endpoint.path + request.target +
           " HTTP/1.1\r\nHost: " + net::JoinHostPort(shared_.endpoint.host, shared_.endpoint.port) +
           "\r\n";
    for (const auto& [name, value] : request.headers) out_ += name + ": " + value + "\r\n";
    if (!request.body.empty()) {
      out_ += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
    }
    out_ += "\r\n" + request.body;
    sent_ = 0;
    begun_ = Now();
    if (!Send()) Fail();
  }

 private:
  void Open() {
    net::Waiter waiter;
    waiter.Start(std::chrono::seconds(10));
    auto socket = net::Dial(shared_.endpoint, std::chrono::seconds(10), waiter);
    PL_ASSERT(socket.has_value());
    channel_ = std::make_unique<Channel>(*socket);
    if (shared_.context != nullptr) {
      PL_ASSERT(channel_->StartTlsAsClient(shared_.context, shared_.endpoint.host));
      Channel::Outcome outcome = Channel::Outcome::WantRead;
      while ((outcome = channel_->Handshake()) == Channel::Outcome::WantRead) {
        waiter.Wait(*socket, EPOLLIN);
        channel_->MarkReadable();
      }
      PL_ASSERT(outcome == Channel::Outcome::Done);
    }
    epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.ptr = this}};
    epoll_ctl(poller_, EPOLL_CTL_ADD, *socket, &event);
  }

  void Fail() {
    ++report_.failures;
    in_.clear();
    is_in_body_ = false;
    Open();
    Begin();
  }

  bool Send() {
    while (sent_ < out_.size()) {
      const Channel::Transfer sent =
          channel_->Write(std::string_view(out_).substr(sent_), std::string_view());
      if (sent.outcome == Channel::Outcome::WantWrite) return true;
      if (sent.outcome != Channel::Outcome::Done) return false;
      sent_ += sent.bytes;
    }
    return true;
  }

  bool Take(std::string_view bytes) {
    if (!is_in_body_) {
      in_ += bytes;
      const std::size_t end = in_.find("\r\n\r\n");
      if (end == std::string::npos) return true;
      const std::string_view head = std::string_view(in_).substr(0, end + 2);
      is_in_body_ = true;
      is_chunked_ = head.find("chunked\r\n") != std::string_view::npos;
      left_ = 0;
      constexpr std::string_view kLength = "Content-Length: ";
      if (const std::size_t at = head.find(kLength); at != std::string_view::npos) {
        std::from_chars(head.data() + at + kLength.size(), head.data() + head.size(), left_);
      }
      if (head.size() > 9 && head[9] >= '4') ++report_.failures;
      chunks_ = {};
      const std::string rest = in_.substr(end + 4);
      in_.clear();
      return TakeBody(rest);
    }
    return TakeBody(bytes);
  }

  bool TakeBody(std::string_view bytes) {
    if (is_chunked_) {
      const auto outcome = chunks_.Decode(bytes, body_, ~std::size_t{0});
      report_.body_bytes += body_.size();
      body_.clear();
      if (outcome == net::ChunkDecoder::Outcome::More) return true;
      if (outcome != net::ChunkDecoder::Outcome::Done) return false;
    } else {
      report_.body_bytes += bytes.size();
      left_ -= std::min<std::uint64_t>(left_, bytes.size());
      if (left_ > 0) return true;
    }
    is_in_body_ = false;
    ++report_.responses;
    ++shared_.answered;
    times_.push_back(std::chrono::duration<float, std::micro>(Now() - begun_).count());
    Begin();
    return true;
  }

  Shared& shared_;
  LoadReport& report_;
  std::vector<float>& times_;
  const int poller_;
  std::unique_ptr<Channel> channel_;
  std::string out_;
  std::size_t sent_ = 0;
  std::string in_;
  std::string body_;
  bool is_in_body_ = false;
  bool is_chunked_ = false;
  std::uint64_t left_ = 0;
  net::ChunkDecoder chunks_;
  SteadyTime begun_;
};

void RunThread(Shared& shared, int connections, LoadReport& report, std::vector<float>& times) {
  const int poller = epoll_create1(EPOLL_CLOEXEC);
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < connections; ++i) {
    workers.push_back(std::make_unique<Worker>(shared, report, times, poller));
  }
  const SteadyTime start = Now();
  for (const auto& worker : workers) worker->Begin();
  std::string scratch(256u << 10, '\0');
  std::array<epoll_event, 256> events;
  while (Now() - start < shared.options.duration && !shared.IsLast(shared.answered)) {
    const int count = epoll_wait(poller, events.data(), events.size(), 10);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      static_cast<Worker*>(event.data.ptr)->OnReady(event.events, scratch);
    }
  }
  report.seconds = std::chrono::duration<double>(Now() - start).count();
  close(poller);
}

double Quantile(const std::vector<float>& sorted, double part) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

LoadReport RunLoad(const LoadOptions& options) {
  auto endpoint = net::ParseUrl(options.url);
  PL_ASSERT(endpoint.has_value());
  Shared shared{.options = options, .endpoint = *endpoint, .context = nullptr};
  if (endpoint->is_tls) {
    auto context = net::MakeClientContext(options.tls);
    PL_ASSERT(context.has_value());
    shared.context = *context;
  }
  const auto count = static_cast<std::size_t>(options.threads);
  std::vector<LoadReport> reports(count);
  std::vector<std::vector<float>> times(count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back(
        [&, i] { RunThread(shared, options.connections / options.threads, reports[i], times[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  LoadReport all;
  std::vector<float> all_times;
  for (std::size_t i = 0; i < count; ++i) {
    all.responses += reports[i].responses;
    all.failures += reports[i].failures;
    all.body_bytes += reports[i].body_bytes;
    all.seconds = std::max(all.seconds, reports[i].seconds);
    all_times.insert(all_times.end(), times[i].begin(), times[i].end());
  }
  std::ranges::sort(all_times);
  all.p50_us = Quantile(all_times, 0.5);
  all.p99_us = Quantile(all_times, 0.99);
  return all;
}

std::string Describe(const LoadReport& report) {
  std::string text =
      fmt::format("{:10.0f}/s  {:8.1f} MB/s  p50 {:8.0f} µs  p99 {:8.0f} µs", report.per_second(),
                  report.megabytes_per_second(), report.p50_us, report.p99_us);
  if (report.failures > 0) text += fmt::format("  {} failed", report.failures);
  return text;
}

}  // namespace plimsoll::bench
