#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/client_hello_guard.h"
#include "net/http.h"

struct ssl_st;
struct ssl_ctx_st;

namespace plimsoll::net {

/// A connected non-blocking socket, plain or with TLS. For one thread at a time.
class Channel {
 public:
  enum class Outcome : std::uint8_t {
    Done,       // some bytes were transferred, or the handshake is complete
    WantRead,   // wait until the socket is readable, then call MarkReadable
    WantWrite,  // wait until the socket is writable
    End,        // the peer has finished sending
    Broken,
  };
  struct Transfer {
    Outcome outcome = Outcome::Done;
    std::size_t bytes = 0;
  };

  /// Takes ownership of the socket, which must be non-blocking.
  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Enables TLS, before the first byte. The channel shares ownership of the context. Clients give
  /// the `server_name` that the server's certificate must be valid for.
  bool StartTlsAsServer(const std::shared_ptr<ssl_ctx_st>& context);
  bool StartTlsAsClient(const std::shared_ptr<ssl_ctx_st>& context, const std::string& server_name);
  Outcome Handshake();
  /// Why the handshake failed.
  const std::string& failure() const { return failure_; }
  /// True if the handshake failed because the peer sent plain HTTP.
  bool is_plain_http() const { return is_plain_http_; }

  Transfer Read(char* to, std::size_t size);
  /// Sends bytes of `first`, and of `second` once `first` is sent.
  Transfer Write(std::string_view first, std::string_view second);
  /// Sends without TLS, once, as much as the socket takes: for a peer that does not speak TLS.
  void WritePlain(std::string_view text);

  /// Returns true if TLS has read bytes from the socket that the caller has not read yet.
  bool HasBufferedInput() const;

  /// Call it when new bytes may have arrived. Until then, an empty socket is not read again.
  void MarkReadable() { is_drained_ = false; }
  /// Call it when the peer will send no more than has arrived.
  void MarkEnded() {
    is_ended_ = true;
    is_drained_ = false;
  }
  bool is_ended() const { return is_ended_; }

  /// Tells the peer that nothing more will be sent.
  void FinishWriting();

  int socket() const { return socket_; }
  ssl_st* ssl() const { return ssl_.get(); }

  // For the TLS layer.
  long Receive(char* to, std::size_t size);
  long Send(const char* from, std::size_t size);

 private:
  struct FreeSsl {
    void operator()(ssl_st* ssl) const;
  };

  bool StartTls(const std::shared_ptr<ssl_ctx_st>& context);
  Transfer Explain(int result);

  const int socket_;
  std::unique_ptr<ssl_st, FreeSsl> ssl_;
  std::optional<ClientHelloGuard> hello_guard_;  // for servers, during the handshake
  std::string failure_;
  bool is_drained_ = false;
  bool has_more_ = false;  // another record follows the one that is being written
  bool is_ended_ = false;
  bool is_plain_http_ = false;
  bool is_broken_ = false;
};

}  // namespace plimsoll::net
