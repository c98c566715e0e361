#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"

/// What HTTP is to the rest of the house: requests, responses and streams, whatever carries them.
/// The carriers are server.h and client.h (sockets, or a call within the process).
namespace plimsoll::net {

/// Header fields in their order. Names are compared without case.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  void Add(std::string name, std::string value) {
    fields_.emplace_back(std::move(name), std::move(value));
  }
  /// The first of that name, or empty.
  std::string_view Find(std::string_view name) const;
  bool Has(std::string_view name) const;
  /// All of that name.
  std::vector<std::string_view> FindAll(std::string_view name) const;
  void Remove(std::string_view name);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  bool empty() const { return fields_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// Who a client's certificate, which our CA has signed, says that it is.
struct PeerCertificate {
  std::string common_name;
  std::vector<std::string> organizations;
  std::string fingerprint;  // SHA-256, in hex
};

/// A user that the process itself vouches for: a component in the same process.
struct LocalIdentity {
  std::string user;
  std::vector<std::string> groups;
};

/// A body that the client has announced and the handler has not read.
struct UnreadBody {
  std::optional<std::uint64_t> size;  // unset: the body comes in chunks
};

struct Request {
  std::string method;  // GET
  std::string target;  // /api/v1/pods?limit=5, as it was sent
  Headers headers;
  std::string body;
  /// Set by carriers over sockets, which leave `body` empty: see Exchange::ReadBody.
  std::optional<UnreadBody> unread_body;
  std::string remote_address;  // 127.0.0.1:51234
  std::optional<PeerCertificate> certificate;
  bool is_certificate_bad = false;     // one was shown that does not hold: unauthorized
  std::optional<LocalIdentity> local;  // only ever set by the in-process carrier
};

/// Part of a body. `object` may stand beside the text for a receiver in the same process, which
/// then need not parse it; what it points to is agreed between the two ends.
struct Piece {
  Bytes text;
  std::shared_ptr<const void> object;
};

/// A body that is made while it is sent, so that a list of a gigabyte needs no gigabyte.
class BodySource {
 public:
  virtual ~BodySource() = default;
  /// Appends the next part, some ten kilobytes, and says whether more is to come. Called by one
  /// thread at a time, when there is room to send.
  virtual bool Read(std::string& out) = 0;
};

struct Response {
  int status = 200;
  Headers headers;  // without Content-Length, Transfer-Encoding and Date, which the carrier adds
  Bytes body;       // or …
  std::unique_ptr<BodySource> source;
  std::shared_ptr<const void> object;  // as in Piece
};

/// A response without an end: a watch. Safe for use by many threads; no call blocks.
class Stream {
 public:
  virtual ~Stream() = default;
  /// False when the client is gone, or has fallen behind by more than the bound and is cut.
  virtual bool Write(Piece piece) = 0;
  /// Ends it properly, after what was written.
  virtual void End() = 0;
  /// Calls back once when the client is gone or the stream was cut; at once if it is already. May
  /// be asked for more than once; each task is called.
  virtual void OnClose(Task task) = 0;
  /// Calls back once, on any thread, when no more than a quarter of what may wait is waiting; at
  /// once if it is so already, or never when the client goes first. For writers of more than may
  /// wait: a stream that takes everything at once need not have it.
  virtual void WhenRoom(Task task) { task(); }
};

/// Result of Exchange::ReadBody.
struct ReceivedBody {
  std::string text;
  bool is_too_large = false;  // the carrier stopped reading, and `text` is empty
};
using BodyReceiver = std::move_only_function<void(ReceivedBody body)>;

/// A request's way back. The handler calls Respond or Begin exactly once, from any thread. When it
/// drops the exchange without a call, the client gets a 500.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void Respond(Response response) = 0;
  virtual std::shared_ptr<Stream> Begin(int status, Headers headers) = 0;

  /// Reads the unread body of the request and calls `receiver` once, on the carrier's thread, when
  /// the body is whole or has more than `size_max` bytes. Destroys `receiver` without a call when
  /// the client leaves, is too slow or breaks the protocol. The carrier holds no bytes of a body
  /// before this call, except those that came with the head. A handler that responds without this
  /// call gets rid of the body: the carrier discards a small one and closes the connection for a
  /// large one.
  /// REQUIRES: the request has an unread body, and this is the first call. Carriers that hand the
  /// body over with the request need not override this.
  virtual void ReadBody(std::size_t /*size_max*/, BodyReceiver /*receiver*/) {}

  /// Tells the carrier that the sender of this request is known. Under pressure a server closes
  /// connections of unknown clients first.
  virtual void MarkAuthenticated() {}
};

class Handler {
 public:
  virtual ~Handler() = default;
  /// Called on the carrier's thread once the head of a request is there. That thread serves other
  /// connections too, so this call must not block.
  virtual void Serve(Request request, std::shared_ptr<Exchange> exchange) = 0;
};

/// A target taken apart: the path with its %XX resolved, and the query's parameters.
struct Target {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;

  /// The first value, or empty.
  std::string_view Query(std::string_view name) const;
  bool HasQuery(std::string_view name) const;
};

/// BadRequest for a target that is no absolute path or has broken escapes. Nothing is cleaned up:
/// `//` and `..` stay, and are no resource's path.
Result<Target> ParseTarget(std::string_view target);

std::string PercentEncode(std::string_view text);

}  // namespace plimsoll::net
