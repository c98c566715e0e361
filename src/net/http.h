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
#include "base/payload.h"
#include "base/result.h"

/// HTTP as the rest of the program sees it: requests, responses and streams, independent of the
/// carrier. Carriers are in server.h and client.h (sockets, or a call within the process).
namespace plimsoll::net {

/// Header fields in their order. Names are case-insensitive.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  void Add(std::string name, std::string value) {
    fields_.emplace_back(std::move(name), std::move(value));
  }
  /// Returns the first value of this name, or an empty text.
  std::string_view Find(std::string_view name) const;
  bool Has(std::string_view name) const;
  /// Returns all values of this name.
  std::vector<std::string_view> FindAll(std::string_view name) const;
  void Remove(std::string_view name);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  bool empty() const { return fields_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// Identity in a client's certificate that our CA has signed.
struct PeerCertificate {
  std::string common_name;
  std::vector<std::string> organizations;
  std::string fingerprint;  // SHA-256, in hex
};

/// Identity of a component in the same process, which needs no authentication.
struct LocalIdentity {
  std::string user;
  std::vector<std::string> groups;
};

/// A body that the client has announced and the handler has not read.
struct UnreadBody {
  std::optional<std::uint64_t> size;  // unset: chunked
};

struct Request {
  std::string method;  // GET
  std::string target;  // /api/v1/pods?limit=5, as sent
  Headers headers;
  std::string body;
  /// Set by carriers over sockets, which leave `body` empty: see Exchange::ReadBody.
  std::optional<UnreadBody> unread_body;
  std::string remote_address;  // 127.0.0.1:51234
  std::optional<PeerCertificate> certificate;
  bool is_certificate_bad = false;     // the client sent an invalid certificate: Unauthorized
  std::optional<LocalIdentity> local;  // set only by the in-process carrier
};

/// Part of a body. A receiver in the same process gets a payload in place of the text. Servers send
/// one only to such a receiver.
struct Piece {
  Bytes text;
  PayloadPtr payload = {};
  std::size_t payload_bytes = 0;  // length of the text that the payload replaces

  /// Returns the bytes that count against limits on unsent data.
  std::size_t size() const { return text != nullptr ? text->size() : payload_bytes; }
};

/// A body that is produced while it is sent, so that a list of a gigabyte needs no gigabyte.
class BodySource {
 public:
  virtual ~BodySource() = default;
  /// Appends the next part, some ten kilobytes, and returns true if more follows. Called by one
  /// thread at a time, when the connection can send.
  virtual bool Read(std::string& out) = 0;
};

struct Response {
  int status = 200;
  Headers headers;  // without Content-Length, Transfer-Encoding and Date, which the carrier adds
  Bytes body;       // or …
  std::unique_ptr<BodySource> source;
  PayloadPtr payload;  // for a client in the same process: the decoded body
};

/// A response without an end: a watch. Safe for use by many threads; no call blocks.
class Stream {
 public:
  virtual ~Stream() = default;
  /// Returns false if the client is gone, or was cut off because it is too far behind.
  virtual bool Write(Piece piece) = 0;
  /// Ends the stream normally, after everything written.
  virtual void End() = 0;
  /// Calls the task once when the client is gone or was cut off, or at once if that has happened.
  /// May be called several times; each task runs.
  virtual void OnClose(Task task) = 0;
  /// Calls the task once, on any thread, when at most a quarter of the buffer limit is pending, or
  /// at once if that is so. Never calls it if the client leaves first. For writers of more than the
  /// limit. A stream without a limit need not override this.
  virtual void OnWritable(Task task) { task(); }
};

/// Result of Exchange::ReadBody.
struct ReceivedBody {
  std::string text;
  bool is_too_large = false;  // the carrier stopped reading; `text` is empty
};
using BodyReceiver = std::move_only_function<void(ReceivedBody body)>;

/// Response side of a request. The handler calls Respond or Begin exactly once, from any thread. If
/// it drops the exchange without a call, the client gets a 500.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void Respond(Response response) = 0;
  virtual std::shared_ptr<Stream> Begin(int status, Headers headers) = 0;

  /// Reads the unread body of the request. Calls `receiver` once, on the carrier's thread, when
  /// the body is complete or has more than `size_max` bytes. Destroys `receiver` without a call
  /// if the client leaves, is too slow or breaks the protocol. Before this call the carrier
  /// holds no bytes of the body, except those that came with the head. If a handler responds
  /// without this call, the carrier discards the rest of a small body. For a large body it
  /// closes the connection after the response. REQUIRES: the request has an unread body, and
  /// this is the first call. Carriers that pass the body with the request need not override
  /// this.
  virtual void ReadBody(std::size_t /*size_max*/, BodyReceiver /*receiver*/) {}

  /// Tells the carrier that the client is authenticated. Under load a server closes connections of
  /// anonymous clients first.
  virtual void MarkAuthenticated() {}
};

class Handler {
 public:
  virtual ~Handler() = default;
  /// Called on the carrier's thread when a request's head has arrived. That thread serves other
  /// connections too, so this call must not block.
  virtual void Serve(Request request, std::shared_ptr<Exchange> exchange) = 0;
};

/// A parsed target: the path with %XX decoded, and the query parameters.
struct Target {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;

  /// Returns the first value, or an empty text.
  std::string_view Query(std::string_view name) const;
  bool HasQuery(std::string_view name) const;
};

/// BadRequest: the target is no absolute path or has invalid escapes. The path is not normalized:
/// `//` and `..` stay, and match no resource.
Result<Target> ParseTarget(std::string_view target);

std::string PercentEncode(std::string_view text);

}  // namespace plimsoll::net
