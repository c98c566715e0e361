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

/// A connected socket that never blocks, plain or with TLS on it. One thread at a time.
class Channel {
 public:
  enum class Outcome : std::uint8_t {
    Done,       // some bytes went through, or the handshake is over
    WantRead,   // wait until the socket can be read, then MarkReadable
    WantWrite,  // wait until it can be written
    End,        // the other side has finished sending
    Broken,
  };
  struct Transfer {
    Outcome outcome = Outcome::Done;
    std::size_t bytes = 0;
  };

  /// Takes the socket, which must not block.
  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Puts TLS on it, before the first byte. The context lives on with it. `server_name` is for
  /// clients: what the other side's certificate must be for.
  bool StartTlsAsServer(const std::shared_ptr<ssl_ctx_st>& context);
  bool StartTlsAsClient(const std::shared_ptr<ssl_ctx_st>& context, const std::string& server_name);
  Outcome Handshake();
  /// Why the handshake broke.
  const std::string& failure() const { return failure_; }
  /// It broke because someone spoke plain HTTP.
  bool is_plain_http() const { return is_plain_http_; }

  Transfer Read(char* to, std::size_t size);
  /// Sends of the first, and when that is through, of the second.
  Transfer Write(std::string_view first, std::string_view second);
  /// Past TLS, once, as far as the socket takes it: for who has not understood that TLS is spoken.
  void WritePlain(std::string_view text);

  /// Whether bytes have been taken from the socket that are yet to be read here.
  bool HasTakenMore() const;

  /// New bytes may have come. Until then a socket that was read empty is not asked again.
  void MarkReadable() { is_drained_ = false; }
  /// The other side will send no more than has come.
  void MarkEnded() {
    is_ended_ = true;
    is_drained_ = false;
  }
  bool is_ended() const { return is_ended_; }

  /// Says that nothing more will be sent.
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
  std::optional<ClientHelloGuard> hello_guard_;  // of a server, during the handshake
  std::string failure_;
  bool is_drained_ = false;
  bool has_more_ = false;  // another record follows the one that is being written
  bool is_ended_ = false;
  bool is_plain_http_ = false;
  bool is_broken_ = false;
};

}  // namespace plimsoll::net
