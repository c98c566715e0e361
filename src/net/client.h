#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/canceller.h"
#include "net/http.h"

namespace plimsoll::net {

struct ClientTls {
  std::string ca_pem;           // empty: those of the system
  std::string certificate_pem;  // client certificate; may be empty
  std::string key_pem;
  std::string server_name;  // empty: the host of the URL
  bool skip_verify = false;
};

/// A complete response.
struct ClientResponse {
  int status = 0;
  Headers headers;
  std::string body;
  PayloadPtr payload;  // from a server in the same process; see Response
};

/// Receives a streamed response piece by piece, on the thread of the call.
class StreamReceiver {
 public:
  virtual ~StreamReceiver() = default;
  /// Returns false to end the call and close the connection.
  virtual bool OnHead(int status, const Headers& headers) = 0;
  /// Within one process, a piece is what the server wrote in one call. Over sockets, it is what has
  /// arrived so far: parts of pieces, or several. Returns false to end the call.
  virtual bool OnPiece(Piece piece) = 0;
};

/// Sends requests to one server. Safe for use by many threads; each call blocks. Connections are
/// kept and reused.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Returns a canceller for the calls below, which also accept null.
  virtual std::shared_ptr<Canceller> NewCanceller() = 0;
  /// True if a Fetch that changes something suspends its fiber while it waits (see base/event.h).
  virtual bool SuspendsFibers() const { return false; }
  /// True if another process answers, so that calls need almost no CPU time here.
  virtual bool IsRemote() const { return false; }
  /// ServiceUnavailable: the server is unreachable or closes the connection. Timeout. A `timeout`
  /// of zero means none.
  virtual Result<ClientResponse> Fetch(Request request, Duration timeout,
                                       const std::shared_ptr<Canceller>& canceller) = 0;
  /// Returns Ok when the response has ended or the receiver has returned false. ServiceUnavailable:
  /// the connection broke. Timeout: the canceller was used.
  virtual Status Receive(Request request, StreamReceiver& receiver,
                         const std::shared_ptr<Canceller>& canceller) = 0;
};

struct TransportOptions {
  Duration connect_max = std::chrono::seconds(10);
  /// Maximum time without an acknowledgement from the server's machine. Then the connection is
  /// closed, even if the server process is stopped or gone.
  Duration unacknowledged_max = std::chrono::seconds(30);
  /// A Fetch fails with RequestEntityTooLarge if the body of the response is longer.
  std::size_t body_bytes_max = SIZE_MAX;
  /// Period of the calls to TlsUpdates.
  Duration tls_check_period = std::chrono::seconds(10);
};

/// Returns the new settings if the files of a ClientTls have changed since the last call. The
/// transport calls it before requests, by one thread at a time. It ignores an unusable result, such
/// as a certificate whose new key is not written yet.
using TlsUpdates = std::function<std::optional<ClientTls>()>;

/// Connects over sockets. `base_url` is https://host:port or http://. After a TLS update, calls in
/// flight finish on their connections, and older idle connections are not reused.
Result<std::unique_ptr<Transport>> ConnectTo(std::string base_url, const ClientTls& tls,
                                             const TransportOptions& options = {},
                                             TlsUpdates updates = {});

/// Connects within the process: calls the handler, whose payloads arrive as they are.
std::unique_ptr<Transport> ConnectLocally(Handler& handler, LocalIdentity identity);

}  // namespace plimsoll::net
