#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "net/client.h"

namespace plimsoll::bench {

/// Watches bound pods, and measures the time from sending each pod until it is observed as bound.
/// It only searches the stream for marks, because it shares the CPU with the server.
class Placements final : private net::StreamReceiver {
 public:
  /// REQUIRES: there are no pods yet.
  Placements(const std::string& url, const net::ClientTls& tls);
  ~Placements() override;
  Placements(const Placements&) = delete;
  Placements& operator=(const Placements&) = delete;

  /// Waits until `count` pods were bound since the start. Returns false if none was bound for a
  /// minute, or if the watch has ended.
  bool Await(std::uint64_t count);
  std::uint64_t count();
  /// Returns and clears the latencies in milliseconds, in order.
  std::vector<double> TakeLatencies();

 private:
  bool OnHead(int status, const net::Headers& headers) override;
  bool OnPiece(net::Piece piece) override;
  void OnLine(std::string_view line);

  std::unique_ptr<net::Transport> transport_;
  std::shared_ptr<net::Canceller> canceller_;
  std::mutex mutex_;
  std::condition_variable has_more_;
  std::uint64_t count_ = 0;
  bool has_ended_ = false;
  std::vector<double> latencies_;
  std::string rest_;  // incomplete line at the end of the received text
  std::jthread reader_;
};

}  // namespace plimsoll::bench
