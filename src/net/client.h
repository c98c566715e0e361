#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/http.h"

namespace plimsoll::net {

struct ClientTls {
  std::string ca_pem;           // empty: the system's
  std::string certificate_pem;  // of the client; may be empty
  std::string key_pem;
  std::string server_name;  // empty: the host of the URL
  bool skip_verify = false;
};

/// What a client gets back, read to its end.
struct ClientResponse {
  int status = 0;
  Headers headers;
  std::string body;
  std::shared_ptr<const void> object;  // from a server in the same process; see Piece
};

/// Who gets a streamed response, piece by piece, on the thread of the call.
class StreamReceiver {
 public:
  virtual ~StreamReceiver() = default;
  /// False: enough, hang up.
  virtual bool OnHead(int status, const Headers& headers) = 0;
  /// From a server in the same process a piece is what was written as one. Over sockets it is what
  /// has come so far: parts of pieces, or several.
  virtual bool OnPiece(Piece piece) = 0;
};

/// Ends a Fetch or Stream that another thread is in.
class Canceller {
 public:
  virtual ~Canceller() = default;
  /// From any thread, any number of times, also before the call begins.
  virtual void Cancel() = 0;
};

/// Sends requests to one server. Safe for use by many threads; each call waits. Connections are
/// kept and used again.
class Transport {
 public:
  virtual ~Transport() = default;

  /// For the calls below, which also take none (null).
  virtual std::shared_ptr<Canceller> NewCanceller() = 0;
  /// Whether a Fetch that changes something waits as a fiber should (see base/baton.h).
  virtual bool LeavesThreadToOthers() const { return false; }
  /// Whether another process answers, so that all there is to do here is to wait.
  virtual bool IsElsewhere() const { return false; }
  /// ServiceUnavailable when the server cannot be reached or breaks off, Timeout. `timeout` zero:
  /// none.
  virtual Result<ClientResponse> Fetch(Request request, Duration timeout,
                                       const std::shared_ptr<Canceller>& canceller) = 0;
  /// Returns when the response has ended (Ok), the receiver has had enough (Ok), the connection
  /// broke (ServiceUnavailable) or the canceller was used (Timeout).
  virtual Status Receive(Request request, StreamReceiver& receiver,
                         const std::shared_ptr<Canceller>& canceller) = 0;
};

struct Patience {
  Duration connect_max = std::chrono::seconds(10);
  /// What the server's machine does not acknowledge for so long is given up with its connection,
  /// even when the process is stopped or gone meanwhile.
  Duration unheard_max = std::chrono::seconds(30);
  /// A longer body of a response fails a Fetch with RequestEntityTooLarge.
  std::size_t body_bytes_max = SIZE_MAX;
  /// How often TlsUpdates is asked.
  Duration tls_check_period = std::chrono::seconds(10);
};

/// Returns what to use from now on when the files of a ClientTls have changed since the last call.
/// The transport calls it before requests, one thread at a time. A result that is not usable, such
/// as a certificate whose new key is yet to be written, is dropped.
using TlsUpdates = std::function<std::optional<ClientTls>()>;

/// Over sockets. `base_url` is https://host:port, or http://. After an update, calls in flight
/// finish on their connections and no idle connection of before is used again.
Result<std::unique_ptr<Transport>> ConnectTo(std::string base_url, const ClientTls& tls,
                                             const Patience& patience = {},
                                             TlsUpdates updates = {});

/// Within the process: a call of the handler, whose pieces arrive with their objects.
std::unique_ptr<Transport> ConnectLocally(Handler& handler, LocalIdentity identity);

}  // namespace plimsoll::net
