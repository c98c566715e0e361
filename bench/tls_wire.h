#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "net/openssl.h"

/// OpenSSL directly on sockets, without our code.
namespace plimsoll::bench {

/// Both ends of a loopback connection. They do not block.
struct SocketPair {
  int server = -1;
  int client = -1;
};
/// Connects with buffers of this size; 0: the system's default.
SocketPair ConnectLoopback(int socket_buffer_size);

/// One end of a TLS connection. Not movable, because OpenSSL keeps its address.
class TlsEnd {
 public:
  /// Takes ownership of the socket. Collects records up to `gathered_size` before one system call;
  /// 0: one call per record.
  TlsEnd(int socket, std::size_t gathered_size, SSL* ssl);
  ~TlsEnd();
  TlsEnd(const TlsEnd&) = delete;
  TlsEnd& operator=(const TlsEnd&) = delete;

  /// Continues the handshake. Returns true when it is complete.
  bool ShakeHands();
  /// Sends as much of the text as the socket accepts, and continues there at the next call. After
  /// the whole text, the next call starts again.
  void Send(std::string_view text);
  /// Receives everything that is available, and returns the number of bytes.
  std::size_t ReceiveAll(std::string& scratch);

 private:
  static const BIO_METHOD* Method();
  static int OnRead(BIO* bio, char* to, int size);
  static int OnWrite(BIO* bio, const char* from, int size);
  /// Returns false if the socket accepts no more.
  bool Flush();

  const int socket_;
  const std::size_t gathered_size_;
  std::string gathered_;
  std::size_t flushed_ = 0;  // bytes of `gathered_` that are sent
  std::size_t sent_ = 0;     // bytes of the text that are sent
  bool is_drained_ = false;  // the last read emptied the socket
  net::OwnedSsl ssl_;
};

}  // namespace plimsoll::bench
