#include "tls_wire.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/assert.h"

namespace plimsoll::bench {

SocketPair ConnectLoopback(int socket_buffer_size) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  if (socket_buffer_size > 0) {  // before connecting, because the TCP window depends on it
    setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &socket_buffer_size, sizeof socket_buffer_size);
    setsockopt(client, SOL_SOCKET, SO_RCVBUF, &socket_buffer_size, sizeof socket_buffer_size);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  PL_ASSERT(bind(listener, any, size) == 0 && listen(listener, 1) == 0);
  PL_ASSERT(getsockname(listener, any, &size) == 0 && connect(client, any, size) == 0);
  const int server = accept(listener, nullptr, nullptr);
  close(listener);
  for (const int end : {server, client}) {
    const int one = 1;
    fcntl(end, F_SETFL, O_NONBLOCK);
    setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  }
  return {server, client};
}

TlsEnd::TlsEnd(int socket, std::size_t gathered_size, SSL* ssl)
    : socket_(socket), gathered_size_(gathered_size), ssl_(ssl) {
  BIO* const bio = BIO_new(Method());
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio);
}

TlsEnd::~TlsEnd() { close(socket_); }

const BIO_METHOD* TlsEnd::Method() {
  static const std::unique_ptr<BIO_METHOD, net::Freed<BIO_meth_free>> method = [] {
    BIO_METHOD* const made = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "wire");
    BIO_meth_set_read(made, OnRead);
    BIO_meth_set_write(made, OnWrite);
    BIO_meth_set_ctrl(made, [](BIO*, int command, long, void*) -> long {
      return command == BIO_CTRL_FLUSH ? 1 : 0;
    });
    return std::unique_ptr<BIO_METHOD, net::Freed<BIO_meth_free>>(made);
  }();
  return method.get();
}

int TlsEnd::OnRead(BIO* bio, char* to, int size) {
  auto& self = *static_cast<TlsEnd*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const long got =
      self.is_drained_ ? -1 : recv(self.socket_, to, static_cast<std::size_t>(size), 0);
  // A short read means that the socket is empty; another read would be wasted.
  if (got < size) self.is_drained_ = true;
  if (got < 0) BIO_set_retry_read(bio);
  return static_cast<int>(got);
}

int TlsEnd::OnWrite(BIO* bio, const char* from, int size) {
  auto& self = *static_cast<TlsEnd*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (self.gathered_size_ > 0) {
    if (self.gathered_.size() < self.gathered_size_ || self.Flush()) {
      self.gathered_.append(from, static_cast<std::size_t>(size));
      return size;
    }
  } else if (const long sent =
                 send(self.socket_, from, static_cast<std::size_t>(size), MSG_NOSIGNAL);
             sent >= 0) {
    return static_cast<int>(sent);
  }
  BIO_set_retry_write(bio);
  return -1;
}

bool TlsEnd::Flush() {
  while (flushed_ < gathered_.size()) {
    const long sent =
        send(socket_, gathered_.data() + flushed_, gathered_.size() - flushed_, MSG_NOSIGNAL);
    if (sent < 0) return false;
    flushed_ += static_cast<std::size_t>(sent);
  }
  gathered_.clear();
  flushed_ = 0;
  return true;
}

bool TlsEnd::ShakeHands() {
  is_drained_ = false;
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  PL_ASSERT(result == 1 || SSL_get_error(ssl_.get(), result) == SSL_ERROR_WANT_READ);
  Flush();
  return result == 1;
}

void TlsEnd::Send(std::string_view text) {
  for (std::size_t sent = 0; sent_ < text.size(); sent_ += sent) {
    const std::string_view rest = text.substr(sent_);
    if (SSL_write_ex(ssl_.get(), rest.data(), rest.size(), &sent) == 1) continue;
    PL_ASSERT(SSL_get_error(ssl_.get(), 0) == SSL_ERROR_WANT_WRITE);
    return;
  }
  if (Flush()) sent_ = 0;
}

std::size_t TlsEnd::ReceiveAll(std::string& scratch) {
  is_drained_ = false;
  std::size_t all = 0;
  std::size_t got = 0;
  while (SSL_read_ex(ssl_.get(), scratch.data(), scratch.size(), &got) == 1) all += got;
  PL_ASSERT(SSL_get_error(ssl_.get(), 0) == SSL_ERROR_WANT_READ);
  return all;
}

}  // namespace plimsoll::bench
