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

/// What a watched thing carries to say when it was sent, and to be told apart: `@` and the time in
/// 19 digits.
std::string TimeMark();

/// Marks in their order, told by two numbers.
struct Sequence {
  std::uint64_t count = 0;
  std::uint64_t hash = 0;

  void Add(std::uint64_t mark) {
    ++count;
    hash = (hash ^ mark) * 0x9e3779b97f4a7c15u;
  }
  friend bool operator==(const Sequence&, const Sequence&) = default;
};

/// Clients that each watch over a connection of their own, read what comes and look at how old it
/// is. All on the thread that reads. They look for the marks and at nothing else, as their time is
/// the server's too.
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

  /// How many marks have come to all of them.
  std::uint64_t marks() const { return marks_; }
  std::uint64_t bytes() const { return bytes_; }
  /// The age that `part` of the marks did not exceed: 0.99. To a tenth of a millisecond.
  double LagMs(double part) const;
  /// How many of them have got exactly these.
  std::size_t CountWhoGot(const Sequence& wanted) const;
  /// Processor time that reading has taken.
  double seconds() const { return seconds_; }

 private:
  struct Watcher {
    explicit Watcher(int socket) : channel(socket) {}

    net::Channel channel;
    Sequence got;
    std::string rest;  // the begun mark at the end of what has come
  };

  void ReadAll(Watcher& watcher);
  /// Returns how much of the end may be a mark that has only begun.
  std::size_t Note(std::string_view text, Watcher& watcher, std::int64_t now);

  const int poller_;
  std::vector<std::unique_ptr<Watcher>> watchers_;
  std::string scratch_;
  std::uint64_t marks_ = 0;
  std::uint64_t bytes_ = 0;
  double seconds_ = 0;
  std::vector<std::uint64_t> lags_;  // how many by tenths of a millisecond; the last: or more
};

}  // namespace plimsoll::bench
