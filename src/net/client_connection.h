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

/// What a call waits with: a socket, a deadline and a bell that a canceller rings. One call at a
/// time.
class Waiter {
 public:
  using Outcome = SocketPoller::Outcome;

  Waiter();
  ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  /// Before a call. Zero: no time-out.
  void Start(Duration timeout);
  /// From any thread.
  void Ring();
  /// Until the socket is ready for it: POLLIN or POLLOUT. `patience` bounds this wait; zero: none.
  Outcome Wait(int socket, short events, Duration patience = Duration::zero());

 private:
  std::optional<Outcome> WaitAsFiber(int socket, short events,
                                     std::optional<SocketPoller::Time> end);

  int bell_;
  std::atomic<bool> has_rung_ = false;
  std::mutex mutex_;                // of both below
  SocketPoller* poller_ = nullptr;  // while a fiber waits …
  SocketPoller::Ticket ticket_ = 0;
  std::optional<SocketPoller::Time> deadline_;
};

/// Where a client's connections go.
struct Endpoint {
  bool is_tls = false;
  std::string host;
  std::uint16_t port = 0;
  std::string path;                         // before every target; often empty
  std::string server;                       // https://host:port, for messages
  Duration unheard_max = Duration::zero();  // see Patience; zero: as the system has it
};

/// BadRequest for anything but http(s)://host[:port][/path].
Result<Endpoint> ParseUrl(std::string_view url);

/// A connected socket that does not block. ServiceUnavailable, with the server's name.
Result<int> Dial(const Endpoint& endpoint, Duration connect_timeout, Waiter& waiter);

/// One connection to a server. Calls wait by means of the Waiter given; when one fails the
/// connection is of no more use.
class ClientConnection {
 public:
  static Result<std::unique_ptr<ClientConnection>> Open(const Endpoint& endpoint,
                                                        const std::shared_ptr<ssl_ctx_st>& context,
                                                        const std::string& server_name,
                                                        Duration connect_timeout, Waiter& waiter);

  /// Whether the server has closed it, or said something unasked.
  bool IsStale() const;
  /// No byte of a response to the last request has come.
  bool is_unanswered() const { return is_unanswered_; }
  /// Good for another request.
  bool is_reusable() const { return is_reusable_; }

  Status Send(std::string_view head, std::string_view body, Waiter& waiter);
  Result<ResponseHead> ReadHead(Waiter& waiter);
  /// Gives what comes to `take` until it says false. True: the body has been read to its end.
  Result<bool> ReadBody(const ResponseHead& head, bool is_head_request, Waiter& waiter,
                        const std::function<bool(std::string&)>& take);

 private:
  ClientConnection(const Endpoint& endpoint, int socket) : endpoint_(endpoint), channel_(socket) {}

  Status Handshake(Duration connect_timeout, Waiter& waiter);
  /// Appends to in_ at most what one record holds.
  Channel::Transfer ReadOnce();
  /// Appends what has come to in_. False: the end.
  Result<bool> Receive(Waiter& waiter);
  Status Await(Channel::Outcome wanted, Waiter& waiter, Duration patience = Duration::zero());
  Result<bool> ReadChunks(Waiter& waiter, const std::function<bool(std::string&)>& take);
  std::unexpected<Error> Broken(std::string_view what) const;

  const Endpoint& endpoint_;
  Channel channel_;
  std::string in_;
  bool is_unanswered_ = true;
  bool is_reusable_ = false;
};

}  // namespace plimsoll::net
