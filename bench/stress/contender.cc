#include "contender.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "load.h"
#include "watchers.h"

namespace plimsoll::bench {
namespace {

using namespace std::chrono_literals;

constexpr int kConnections = 32;
constexpr int kTaintConnections = 2;

double Seconds() { return static_cast<double>(NowNs()) / 1e9; }

double QuantileOf(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

Contender::Contender(const std::string& program, const StressSize& size, Flavour flavour)
    : size_(size),
      flavour_(flavour),
      directory_(store::TemporaryDirectory::OnDisk()),
      // No kubelet runs on these nodes, so the node lifecycle controller must not run. Events
      // expire early: kept for an hour, they would look like a leak.
      server_(program, directory_.path(),
              {"up", "--controllers=*,-node-lifecycle", "--event-ttl-seconds=30"}),
      start_(Seconds()) {
  server_.Call("POST", "/api/v1/namespaces/default/serviceaccounts",
               R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}})", 201);
  Send("POST", size_.nodes, kConnections, [this](std::size_t i) {
    return std::pair(std::string("/api/v1/nodes"), NodeText(flavour_, i));
  });
  ChangeTaints(size_.nodes);
  placements_.emplace(server_.url(), server_.tls());
}

void Contender::Send(std::string_view method, std::size_t count, int connections,
                     const Make& make) {
  const std::string type = method == "PATCH" ? "application/merge-patch+json" : "application/json";
  const LoadReport report = RunLoad({.url = server_.url(),
                                     .tls = server_.tls(),
                                     .connections = connections,
                                     .duration = 30min,
                                     .requests_max = count,
                                     .next = [&](std::uint64_t i) {
                                       auto [target, body] = make(i);
                                       return net::Request{.method = std::string(method),
                                                           .target = std::move(target),
                                                           .headers = {{"Content-Type", type}},
                                                           .body = std::move(body)};
                                     }});
  failures_ += report.failures;
}

void Contender::CreatePods(std::size_t count) {
  Send("POST", count, kConnections, [&](std::size_t i) {
    return std::pair(std::string("/api/v1/namespaces/default/pods"),
                     PodText(flavour_, next_ + i, TimeMark()));
  });
  next_ += count;
}

void Contender::ChangeTaints(std::size_t count) {
  Send("PATCH", count, kTaintConnections, [&](std::size_t i) {
    const std::size_t node = (next_node_ + i) % size_.nodes;
    return std::pair(fmt::format("/api/v1/nodes/node-{}", node),
                     TaintPatch(flavour_, (node + shift_) % kValues));
  });
  next_node_ = (next_node_ + count) % size_.nodes;
  ++shift_;
}

void Contender::Await() {
  if (placements_->Await(next_)) return;
  fmt::print(stderr, "{}: {} of {} pods have got a node, and no more do; {} requests failed\n",
             ToText(flavour_), placements_->count(), next_, failures_.load());
  std::exit(1);
}

void Contender::Fill() {
  CreatePods(size_.pods);
  Await();
  placements_->TakeLatencies();
}

Round Contender::Churn() {
  const std::size_t count = size_.churn();
  Send("DELETE", count, kConnections, [&](std::size_t i) {
    return std::pair(PodTarget(oldest_ + i), std::string(R"({"gracePeriodSeconds":0})"));
  });
  oldest_ += count;
  const double processor = server_.ProcessorSeconds();
  const double begin = Seconds();
  {
    const std::jthread tainting([&] { ChangeTaints(std::max<std::size_t>(size_.nodes / 10, 1)); });
    CreatePods(count);
    Await();
  }
  const double end = Seconds();
  std::vector<double> latencies = placements_->TakeLatencies();
  const auto pods = static_cast<double>(count);
  return {.at_seconds = end - start_,
          .pods_per_second = pods / (end - begin),
          .latency_p50_ms = QuantileOf(latencies, 0.5),
          .latency_p99_ms = QuantileOf(latencies, 0.99),
          .processor_us = (server_.ProcessorSeconds() - processor) * 1e6 / pods,
          .resident_bytes = server_.ResidentBytes()};
}

/// Returns the value of a metric; 0 if it does not exist yet.
double Contender::Metric(std::string_view line_start) {
  const std::string text = server_.Call("GET", "/metrics", "", 200);
  const std::size_t at = text.find(line_start);
  return at == text.npos ? 0 : std::strtod(text.c_str() + at + line_start.size(), nullptr);
}

std::uint64_t Contender::errors() {
  double failed = 0;
  for (const std::string_view result : {"error", "unschedulable"}) {
    failed += Metric(fmt::format(
        R"(scheduler_schedule_attempts_total{{profile="default-scheduler",result="{}"}} )",
        result));
  }
  return failures_ + static_cast<std::uint64_t>(failed);
}

}  // namespace plimsoll::bench
