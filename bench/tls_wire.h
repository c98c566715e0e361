#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "net/openssl.h"

/// OpenSSL straight on sockets, without anything of ours between them.
namespace plimsoll::bench {

/// Two ends over the loopback, as a server and a client have them; neither blocks.
struct SocketPair {
  int server = -1;
  int client = -1;
};
/// With buffers of that size, or for 0 of what the system likes.
SocketPair ConnectLoopback(int socket_buffer_size);

/// One end of a TLS connection. Holds its address, so it stays where it is.
class TlsEnd {
 public:
  /// Takes the socket. Records are gathered up to that size and then sent with one system call; for
  /// 0 each is sent by itself.
  TlsEnd(int socket, std::size_t gathered_size, SSL* ssl);
  ~TlsEnd();
  TlsEnd(const TlsEnd&) = delete;
  TlsEnd& operator=(const TlsEnd&) = delete;

  /// As far as it goes. True when it is over.
  bool ShakeHands();
  /// As much as the socket takes of the text from where the last call left off, and then from its
  /// start when it is called next.
  void Send(std::string_view text);
  /// Everything that has come; returns how much.
  std::size_t ReceiveAll(std::string& scratch);

 private:
  static const BIO_METHOD* Method();
  static int OnRead(BIO* bio, char* to, int size);
  static int OnWrite(BIO* bio, const char* from, int size);
  /// False: the socket takes no more.
  bool Flush();

  const int socket_;
  const std::size_t gathered_size_;
  std::string gathered_;
  std::size_t flushed_ = 0;  // of what is gathered
  std::size_t sent_ = 0;     // of the text
  bool is_drained_ = false;  // the socket has been read empty
  net::OwnedSsl ssl_;
};

}  // namespace plimsoll::bench
