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

/// Watches pods that get a node, and how long after it was sent each of them is seen there. The
/// stream is only searched for what is needed, as its reader's time is the server's too.
class Placements final : private net::StreamReceiver {
 public:
  /// There should be no pods yet.
  Placements(const std::string& url, const net::ClientTls& tls);
  ~Placements() override;
  Placements(const Placements&) = delete;
  Placements& operator=(const Placements&) = delete;

  /// Waits until so many pods have got a node since the start; false when none did for a minute, or
  /// the watch has ended.
  bool Await(std::uint64_t count);
  std::uint64_t count();
  /// In milliseconds, of those that came since last time, in their order.
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
  std::string rest_;  // the begun line at the end of what has come
  std::jthread reader_;
};

}  // namespace plimsoll::bench
