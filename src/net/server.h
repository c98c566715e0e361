#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "net/http.h"
#include "net/limits.h"

namespace plimsoll::net {

struct ServerTls {
  std::string certificate_pem;  // chain, leaf first
  std::string key_pem;
  std::string client_ca_pem;  // CA of accepted client certificates; empty: none are accepted
};

/// A connection is anonymous until the client sends a valid certificate or the handler calls
/// Exchange::MarkAuthenticated. Zero: a share of the limit before it (see connection_table.cc).
struct ConnectionLimits {
  /// Reduced to the process' limit of open files, minus a reserve for the store.
  int total_max = kConnectionsMax;
  int per_address_max = 0;  // for one IPv4 address or one IPv6 /64 network
  int anonymous_max = kAnonymousConnectionsMax;
  int anonymous_per_address_max = 0;
  /// An anonymous connection of this age may be closed to make room for a new one.
  Duration anonymous_grace = std::chrono::seconds(1);
};

/// Returns Invalid, with the reason, if no server could use it: a text is not readable, or the key
/// does not match the certificate.
Status CheckTls(const ServerTls& tls);

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free port
  std::optional<ServerTls> tls;
  int threads = 2;
  std::size_t header_bytes_max = kRequestHeadBytesMax;
  std::size_t discarded_bytes_max = kDiscardedBytesMax;  // of a body that the handler does not read
  std::size_t stream_pending_bytes_max =
      kStreamPendingBytesMax;                          // a watcher further behind is cut off
  std::size_t gzip_bytes_min = 128u << 10;             // smaller bodies are not compressed
  Duration header_timeout = std::chrono::seconds(10);  // for the TLS handshake, and for a head
  /// A body may take this long, plus one second for each `body_bytes_per_second_min` bytes that
  /// have arrived.
  Duration body_timeout = std::chrono::seconds(10);
  std::size_t body_bytes_per_second_min = 32u << 10;
  Duration idle_timeout = std::chrono::seconds(180);  // between requests of one connection
  /// A client must read `write_progress_min` bytes of a response in this time, or any byte of a
  /// stream.
  Duration write_timeout = std::chrono::seconds(60);
  std::size_t write_progress_min = 64u << 10;
  ConnectionLimits connections;
};

/// A bound port without a server: clients that connect wait until a server starts on it. So a
/// server can know its port before it serves.
class BoundPort {
 public:
  /// 0: any free port. An error names the address and the remedy: port in use, no permission.
  static Result<BoundPort> Bind(const std::string& address, std::uint16_t port);
  BoundPort(BoundPort&& other) noexcept;
  BoundPort& operator=(BoundPort&& other) noexcept;
  ~BoundPort();

  std::uint16_t number() const;
  /// Returns the listening socket, which the caller then owns.
  int Release();

 private:
  explicit BoundPort(int socket) : socket_(socket) {}

  int socket_;
};

class ServerThreads;

/// An HTTP/1.1 server, with TLS 1.2 and 1.3. Its threads run until it is destroyed.
class Server final {
 public:
  /// Binds and starts to accept. The handler must outlive the server. An error names the address
  /// and the remedy: port in use, no permission, bad certificate.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, Handler& handler,
                                               Logger& log);
  /// Same as above, on a bound port; ignores the address and port of the options.
  static Result<std::unique_ptr<Server>> Start(BoundPort port, const ServerOptions& options,
                                               Handler& handler, Logger& log);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  /// Uses another certificate for new connections.
  Status ReplaceTls(const ServerTls& tls);
  /// Stops accepting, lets requests in flight finish, and ends all streams normally. Returns when
  /// no connection is left or the time is up.
  void Drain(Duration timeout);

 private:
  explicit Server(std::unique_ptr<ServerThreads> threads);

  // Apart, so that this header does not need OpenSSL and sockets.
  std::unique_ptr<ServerThreads> threads_;
};

}  // namespace plimsoll::net
