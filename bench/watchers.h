#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/channel.h"
#include "net/client.h"

namespace plimsoll::bench {

/// Returns the time of the monotonic clock, which all processes of the machine share.
std::int64_t NowNs();

/// Returns a mark with the current time, `@` and 19 digits. It is unique and tells when an object
/// was sent.
std::string TimeMark();

/// Fingerprint of a sequence of marks: count and hash.
struct Sequence {
  std::uint64_t count = 0;
  std::uint64_t hash = 0;

  void Add(std::uint64_t mark) {
    ++count;
    hash = (hash ^ mark) * 0x9e3779b97f4a7c15u;
  }
  friend bool operator==(const Sequence&, const Sequence&) = default;
};

/// Watch clients with one connection each, which measure the age of what they receive. All run on
/// the thread that calls Read. They only search for marks, because they share the CPU with the
/// server.
class Watchers {
 public:
  /// Sends the watch requests, one per watcher.
  Watchers(const std::string& url, const net::ClientTls& tls,
           const std::vector<std::string>& targets);
  ~Watchers();
  Watchers(const Watchers&) = delete;
  Watchers& operator=(const Watchers&) = delete;

  /// Reads until nothing has arrived for this long.
  void Read(int patience_ms);

  /// Number of marks that all watchers have received.
  std::uint64_t marks() const { return marks_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Returns the percentile `part` of the marks' age (0.99: p99), to a tenth of a millisecond.
  double LagMs(double part) const;
  /// Returns how many watchers have received exactly this sequence.
  std::size_t CountReceivers(const Sequence& wanted) const;
  /// CPU time of reading.
  double seconds() const { return seconds_; }

 private:
  struct Watcher {
    explicit Watcher(int socket) : channel(socket) {}

    net::Channel channel;
    Sequence got;
    std::string rest;  // incomplete mark at the end of the received text
  };

  void ReadAll(Watcher& watcher);
  /// Returns the length of an incomplete mark at the end of the text.
  std::size_t Note(std::string_view text, Watcher& watcher, std::int64_t now);

  const int poller_;
  std::vector<std::unique_ptr<Watcher>> watchers_;
  std::string scratch_;
  std::uint64_t marks_ = 0;
  std::uint64_t bytes_ = 0;
  double seconds_ = 0;
  std::vector<std::uint64_t> lags_;  // histogram in tenths of a millisecond; the last: or more
};

}  // namespace plimsoll::bench
