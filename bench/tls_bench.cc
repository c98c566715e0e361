// Measures the cost of TLS on this machine, without our code: the upper bound of what can be sent
// to many watchers. `tls_bench [seconds]`.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/real_clock.h"
#include "tls_pump.h"

namespace plimsoll::bench {
namespace {

void PrintParts(Duration duration) {
  fmt::print("{:<44}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "seconds of a processor for a GB", "encrypt",
             "decrypt", "send", "receive", "all");
  for (const char* const cipher : {"AES-128-GCM", "AES-256-GCM", "ChaCha20-Poly1305"}) {
    const PumpParts parts = MeasureParts(cipher, duration);
    fmt::print("{:<44}{:>9.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>9.3f}\n", cipher, parts.encrypt,
               parts.decrypt, parts.send, parts.receive,
               parts.encrypt + parts.decrypt + parts.send + parts.receive);
    std::fflush(stdout);
  }
}

struct Variant {
  std::string name;
  PumpOptions options;
};

std::vector<Variant> Variants() {
  return {
      {"64 connections, AES-128-GCM", {}},
      {"AES-256-GCM", {.suite = "TLS_AES_256_GCM_SHA384"}},
      {"ChaCha20-Poly1305", {.suite = "TLS_CHACHA20_POLY1305_SHA256"}},
      {"TLS 1.2, AES-128-GCM", {.suite = "ECDHE-ECDSA-AES128-GCM-SHA256"}},
      {"records of 4 KiB", {.record_size = 4u << 10}},
      {"pieces of 16 KiB", {.piece_size = 16u << 10}},
      {"pieces of 256 KiB", {.piece_size = 256u << 10}},
      {"four records with one call", {.gathered_size = 64u << 10}},
      {"read 64 KiB with one call", {.read_buffer_size = 64u << 10}},
      {"both", {.gathered_size = 64u << 10, .read_buffer_size = 64u << 10}},
      {"socket buffers of 256 KiB", {.socket_buffer_size = 256 << 10}},
      {"2 connections", {.connections = 2}},
      {"1,000 connections", {.connections = 1000}},
      {"threads where the system likes", {.is_pinned = false}},
      {"one thread sends, the other receives", {.has_sides = true}},
  };
}

void Main(Duration duration) {
  const RealClock clock;
  const Identity identity(clock.Now());
  PrintParts(duration);
  fmt::print("\n{:<44}{:>9}{:>27}\n", "sent and received by all processors", "GB/s",
             "processor seconds for a GB");
  double most = 0;
  for (const Variant& variant : Variants()) {
    const PumpReport report = PumpTls(identity, variant.options, duration);
    most = std::max(most, report.bytes_per_second);
    fmt::print("{:<44}{:>9.2f}{:>27.2f}\n", variant.name, report.bytes_per_second / 1e9,
               report.seconds_per_gb);
    std::fflush(stdout);
  }
  fmt::print("{:<44}{:>9.2f}\n", "the most", most / 1e9);
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 0;
  plimsoll::bench::Main(std::chrono::seconds(seconds > 0 ? seconds : 2));
  return 0;
}
