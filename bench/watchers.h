#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/channel.h"
#include "net/client.h"

namespace plimsoll::bench {

/// Of the steady clock, which all processes of the machine share.
std::int64_t NowNs();

/// What a watched thing carries to say when it was sent: `@` and the time in 19 digits.
std::string TimeMark();

/// Clients that each watch over a connection of their own, read what comes and look at how old it
/// is. All on the thread that reads.
class Watchers {
 public:
  /// Sends the requests, one per watcher.
  Watchers(const std::string& url, const net::ClientTls& tls,
           const std::vector<std::string>& targets);
  ~Watchers();
  Watchers(const Watchers&) = delete;
  Watchers& operator=(const Watchers&) = delete;

  /// Until nothing has come for that long.
  void Read(int patience_ms);

  /// How many marks have come, and how old they were, as far as they came in one piece.
  std::uint64_t marks() const { return marks_; }
  std::uint64_t bytes() const { return bytes_; }
  /// The age that `part` of the marks did not exceed: 0.99.
  float LagMs(double part);

 private:
  void Note(std::string_view text);

  const int poller_;
  std::vector<std::unique_ptr<net::Channel>> channels_;
  std::uint64_t marks_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<float> lags_ms_;
};

}  // namespace plimsoll::bench
