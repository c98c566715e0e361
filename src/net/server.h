#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "net/http.h"

namespace plimsoll::net {

struct ServerTls {
  std::string certificate_pem;  // chain, leaf first
  std::string key_pem;
  std::string client_ca_pem;  // whose client certificates count; empty: none do
};

/// A connection is anonymous until the client shows a valid certificate or the handler calls
/// Exchange::MarkAuthenticated. Zero means: a share of the limit before it (see server.cc).
struct ConnectionLimits {
  /// Lowered to the process' limit of open files, less a reserve for the store.
  int total_max = 20'000;
  int per_address_max = 0;  // of one IPv4 address or one IPv6 /64 network
  int anonymous_max = 1024;
  int anonymous_per_address_max = 0;
  /// An anonymous connection of this age may be closed to make room for a new one.
  Duration anonymous_grace = std::chrono::seconds(1);
};

/// Invalid, and why, when no server could use it: a text is not readable, or the key is not that of
/// the certificate.
Status CheckTls(const ServerTls& tls);

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  std::optional<ServerTls> tls;
  int threads = 2;
  /// With a TLS record and OpenSSL's own state, a connection holds less than 64 KiB before the
  /// handler asks for a body.
  std::size_t header_bytes_max = 44u << 10;
  std::size_t discarded_bytes_max = 256u << 10;        // of a body that the handler does not read
  std::size_t stream_pending_bytes_max = 4u << 20;     // a watcher that is further behind is cut
  std::size_t gzip_bytes_min = 128u << 10;             // smaller bodies are not compressed
  Duration header_timeout = std::chrono::seconds(10);  // for the TLS handshake, and for a head
  /// A body may take this long, and one second more for each `body_bytes_per_second_min` bytes that
  /// have come.
  Duration body_timeout = std::chrono::seconds(10);
  std::size_t body_bytes_per_second_min = 32u << 10;
  Duration idle_timeout = std::chrono::seconds(180);  // between requests of one connection
  /// A client must take `write_progress_min` bytes of a response in this time, and any byte of a
  /// stream.
  Duration write_timeout = std::chrono::seconds(60);
  std::size_t write_progress_min = 64u << 10;
  ConnectionLimits connections;
};

/// A port where nobody is answered yet: whoever connects waits until a server starts on it. So a
/// server can know its own port before it serves.
class BoundPort {
 public:
  /// 0: any free one. An error names the address and what to do: port taken, no permission.
  static Result<BoundPort> Bind(const std::string& address, std::uint16_t port);
  BoundPort(BoundPort&& other) noexcept;
  BoundPort& operator=(BoundPort&& other) noexcept;
  ~BoundPort();

  std::uint16_t number() const;
  /// The listening socket, the caller's from now on.
  int Release();

 private:
  explicit BoundPort(int socket) : socket_(socket) {}

  int socket_;
};

/// An HTTP/1.1 server, with TLS 1.2 and 1.3. Its threads run until it is destroyed.
class Server {
 public:
  /// Binds and begins to accept. The handler must outlive the server. An error names the address
  /// and what to do: port taken, no permission, bad certificate.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, Handler& handler,
                                               Logger& log);
  /// Likewise, on a port that was bound before; the options' address and port do not matter.
  static Result<std::unique_ptr<Server>> Start(BoundPort port, const ServerOptions& options,
                                               Handler& handler, Logger& log);
  virtual ~Server() = default;

  virtual std::uint16_t port() const = 0;
  /// Another certificate for the connections to come.
  virtual Status ReplaceTls(const ServerTls& tls) = 0;
  /// Accepts nobody any more, lets requests in flight finish within the time, ends all streams
  /// properly, and returns when no connection is left or the time is up.
  virtual void Drain(Duration timeout) = 0;
};

}  // namespace plimsoll::net
