#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "net/client.h"

namespace plimsoll::bench {

struct LoadOptions {
  std::string url;  // for example https://127.0.0.1:6443
  net::ClientTls tls;
  int connections = 64;  // each sends one request at a time
  int threads = 1;
  Duration duration = std::chrono::seconds(3);
  std::uint64_t requests_max = 0;  // ends after this many responses; 0: unlimited
  /// Returns the request with this number. Called from all threads.
  std::function<net::Request(std::uint64_t number)> next;
};

struct LoadReport {
  std::uint64_t responses = 0;
  std::uint64_t failures = 0;  // responses with status >= 400, and broken connections
  std::uint64_t body_bytes = 0;
  double seconds = 0;
  double p50_us = 0;
  double p99_us = 0;

  double per_second() const { return static_cast<double>(responses) / seconds; }
  double megabytes_per_second() const { return static_cast<double>(body_bytes) / 1e6 / seconds; }
};

/// Sends requests as fast as they are answered. Response bodies are discarded.
LoadReport RunLoad(const LoadOptions& options);

/// Returns `30,123/s p50 210 µs p99 800 µs …`.
std::string Describe(const LoadReport& report);

}  // namespace plimsoll::bench
