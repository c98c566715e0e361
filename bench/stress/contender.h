#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "placements.h"
#include "server_process.h"
#include "store/temporary_directory_for_test.h"
#include "workload.h"

namespace plimsoll::bench {

struct StressSize {
  std::size_t nodes = 0;
  std::size_t pods = 0;

  /// Number of pods that are deleted and created in a round.
  std::size_t churn() const { return pods < 10 ? 1 : pods / 10; }
};

/// Result of one round of churn.
struct Round {
  double at_seconds = 0;  // end of the round, since the start of the contender
  double pods_per_second = 0;
  double latency_p50_ms = 0;  // from sending a pod until it is observed on its node
  double latency_p99_ms = 0;
  double processor_us = 0;  // CPU time of the server per pod
  std::size_t resident_bytes = 0;
};

/// One control plane and its load: a real `plimsoll up`, nodes whose taints change, and pods that
/// are created and deleted.
class Contender {
 public:
  /// Starts the server and creates nodes, but no pods.
  Contender(const std::string& program, const StressSize& size, Flavour flavour);

  Flavour flavour() const { return flavour_; }
  /// Creates all pods and waits until they are bound.
  void Fill();
  /// Deletes a tenth of the pods and creates as many, while the taints of a tenth of the nodes
  /// change.
  Round Churn();

  /// Returns the number of failed requests, failed scheduling attempts and unscheduled pods.
  std::uint64_t errors();

 private:
  using Make = std::function<std::pair<std::string, std::string>(std::size_t)>;

  void Send(std::string_view method, std::size_t count, int connections, const Make& make);
  void CreatePods(std::size_t count);
  void ChangeTaints(std::size_t count);
  double Metric(std::string_view line_start);
  void Await();

  const StressSize size_;
  const Flavour flavour_;
  const store::TemporaryDirectory directory_;
  ServerProcess server_;
  std::optional<Placements> placements_;
  const double start_;
  std::size_t oldest_ = 0;  // number of the oldest pod
  std::size_t next_ = 0;    // number of the next pod
  std::size_t next_node_ = 0;
  std::size_t shift_ = 1;  // offset of the taints' values
  std::atomic<std::uint64_t> failures_ = 0;
};

}  // namespace plimsoll::bench
