#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "net/channel.h"
#include "net/client.h"
#include "net/http1_parser.h"
#include "net/socket_poller.h"

namespace plimsoll::net {

/// Blocks a call until a socket is ready, the deadline passes or a canceller rings. For one call at
/// a time.
class Waiter {
 public:
  using Outcome = SocketPoller::Outcome;

  Waiter();
  ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  /// Call it before a call. Zero: no time-out.
  void Start(Duration timeout);
  /// Ends the wait as Cancelled. May be called from any thread.
  void Cancel();
  /// Waits until the socket is ready for POLLIN or POLLOUT, at most `time_max`; zero: no limit.
  Outcome Wait(int socket, short events, Duration time_max = Duration::zero());

 private:
  std::optional<Outcome> WaitAsFiber(int socket, short events,
                                     std::optional<SocketPoller::Time> end);

  int cancel_fd_;
  std::atomic<bool> is_cancelled_ = false;
  std::mutex mutex_;                // guards both members below
  SocketPoller* poller_ = nullptr;  // set while a fiber waits, together with …
  SocketPoller::Ticket ticket_ = 0;
  std::optional<SocketPoller::Time> deadline_;
};

/// Address of a server.
struct Endpoint {
  bool is_tls = false;
  std::string host;
  std::uint16_t port = 0;
  std::string path;    // prefix of every target; often empty
  std::string server;  // https://host:port, for error messages
  Duration unacknowledged_max =
      Duration::zero();  // see TransportOptions; zero: the system's default
};

/// Parses http(s)://host[:port][/path]. BadRequest for anything else.
Result<Endpoint> ParseUrl(std::string_view url);

/// Returns a connected non-blocking socket. ServiceUnavailable: has the server's name.
Result<int> Dial(const Endpoint& endpoint, Duration connect_timeout, Waiter& waiter);

/// One connection to a server. Calls block in the given Waiter. After a failed call the connection
/// must not be used again.
class ClientConnection {
 public:
  static Result<std::unique_ptr<ClientConnection>> Open(const Endpoint& endpoint,
                                                        const std::shared_ptr<ssl_ctx_st>& context,
                                                        const std::string& server_name,
                                                        Duration connect_timeout, Waiter& waiter);

  /// Returns true if the server has closed the connection or sent something unrequested.
  bool IsStale() const;
  /// True if no byte of a response to the last request has arrived.
  bool is_unanswered() const { return is_unanswered_; }
  /// True if the connection can take another request.
  bool is_reusable() const { return is_reusable_; }

  Status Send(std::string_view head, std::string_view body, Waiter& waiter);
  Result<ResponseHead> ReadHead(Waiter& waiter);
  /// Passes the body to `take` until it returns false. Returns true if the whole body was read.
  Result<bool> ReadBody(const ResponseHead& head, bool is_head_request, Waiter& waiter,
                        const std::function<bool(std::string&)>& take);

 private:
  ClientConnection(const Endpoint& endpoint, int socket) : endpoint_(endpoint), channel_(socket) {}

  Status Handshake(Duration connect_timeout, Waiter& waiter);
  /// Appends at most one TLS record to in_.
  Channel::Transfer ReadOnce();
  /// Appends received bytes to in_. Returns false at the end of the connection.
  Result<bool> Receive(Waiter& waiter);
  Status Await(Channel::Outcome wanted, Waiter& waiter, Duration time_max = Duration::zero());
  Result<bool> ReadChunks(Waiter& waiter, const std::function<bool(std::string&)>& take);
  std::unexpected<Error> Broken(std::string_view what) const;

  const Endpoint& endpoint_;
  Channel channel_;
  std::string in_;
  bool is_unanswered_ = true;
  bool is_reusable_ = false;
};

}  // namespace plimsoll::net
