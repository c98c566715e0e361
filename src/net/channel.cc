#include "net/channel.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "net/openssl.h"

namespace plimsoll::net {
namespace {

/// Removes errors of earlier calls, which OpenSSL would report for the next one. The queue is
/// usually empty, and a check is faster than clearing it.
void ClearErrors() {
  if (ERR_peek_error() != 0) ERR_clear_error();
}

// OpenSSL's socket BIO reads an empty socket once more after every record, only to learn that it is
// empty. This BIO knows that from a read that returned less than requested, which saves a system
// call per request.

int BioRead(BIO* bio, char* to, int size) {
  auto* const channel = static_cast<Channel*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const long got = channel->Receive(to, static_cast<std::size_t>(size));
  if (got < 0 && errno == EAGAIN) BIO_set_retry_read(bio);
  return static_cast<int>(got);
}

int BioWrite(BIO* bio, const char* from, int size) {
  auto* const channel = static_cast<Channel*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const long sent = channel->Send(from, static_cast<std::size_t>(size));
  if (sent < 0 && errno == EAGAIN) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

long BioControl(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

BIO_METHOD* MakeBioMethod() {
  BIO_METHOD* const method = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "channel");
  BIO_meth_set_read(method, BioRead);
  BIO_meth_set_write(method, BioWrite);
  BIO_meth_set_ctrl(method, BioControl);
  return method;
}

const BIO_METHOD* BioMethod() {
  static const std::unique_ptr<BIO_METHOD, Freed<BIO_meth_free>> method(MakeBioMethod());
  return method.get();
}

}  // namespace

void Channel::FreeSsl::operator()(ssl_st* ssl) const { SSL_free(ssl); }

Channel::~Channel() {
  ssl_.reset();
  close(socket_);
}

bool Channel::StartTls(const std::shared_ptr<ssl_ctx_st>& context) {
  ssl_.reset(SSL_new(context.get()));
  BIO* const bio = ssl_ != nullptr ? BIO_new(BioMethod()) : nullptr;
  if (bio == nullptr) return false;
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  return true;
}

bool Channel::StartTlsAsServer(const std::shared_ptr<ssl_ctx_st>& context) {
  if (!StartTls(context)) return false;
  SSL_set_accept_state(ssl_.get());
  hello_guard_.emplace();
  return true;
}

bool Channel::StartTlsAsClient(const std::shared_ptr<ssl_ctx_st>& context,
                               const std::string& server_name) {
  if (!StartTls(context)) return false;
  SSL_set_connect_state(ssl_.get());
  X509_VERIFY_PARAM* const wanted = SSL_get0_param(ssl_.get());
  // Certificates list addresses apart from names, and the handshake (SNI) has only names.
  if (X509_VERIFY_PARAM_set1_ip_asc(wanted, server_name.c_str()) == 1) return true;
  ERR_clear_error();
  return SSL_set1_host(ssl_.get(), server_name.c_str()) == 1 &&
         SSL_set_tlsext_host_name(ssl_.get(), server_name.c_str()) == 1;
}

long Channel::Receive(char* to, std::size_t size) {
  if (is_drained_) {
    errno = EAGAIN;
    return -1;
  }
  const long got = recv(socket_, to, size, 0);
  if (got > 0 && hello_guard_ &&
      !hello_guard_->Check({to, static_cast<std::size_t>(got)},
                           SSL_version(ssl_.get()) == TLS1_3_VERSION)) {
    errno = EPROTO;
    return -1;
  }
  if (got == 0) is_ended_ = true;
  // After MarkEnded there is no further event, so the end must be read from the socket.
  const bool is_short = got > 0 && static_cast<std::size_t>(got) < size;
  if ((is_short && !is_ended_) || (got < 0 && errno == EAGAIN)) is_drained_ = true;
  return got;
}

long Channel::Send(const char* from, std::size_t size) {
  // Send the records of one text together, so that the peer wakes up once.
  const int flags = MSG_NOSIGNAL | (has_more_ ? MSG_MORE : 0);
  // No retry on EINTR: a non-blocking socket is not interrupted.
  return send(socket_, from, size, flags);
}

Channel::Transfer Channel::Explain(int result) {
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {Outcome::WantRead, 0};
    case SSL_ERROR_WANT_WRITE:
      return {Outcome::WantWrite, 0};
    case SSL_ERROR_ZERO_RETURN:
      return {Outcome::End, 0};
    default:
      is_broken_ = true;
      return {Outcome::Broken, 0};
  }
}

Channel::Outcome Channel::Handshake() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  if (result == 1) {
    hello_guard_.reset();
    return Outcome::Done;
  }
  const Outcome outcome = Explain(result).outcome;
  if (outcome != Outcome::Broken) return outcome;
  const int system_error = errno;
  const unsigned long code = ERR_peek_error();
  is_plain_http_ = ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_HTTP_REQUEST;
  const long verdict = SSL_get_verify_result(ssl_.get());
  if (verdict != X509_V_OK) {
    failure_ = X509_verify_cert_error_string(verdict);
  } else if (code != 0) {
    failure_ = OpensslError();
  } else {
    failure_ = is_ended_ || system_error == 0 ? "EOF" : std::strerror(system_error);
  }
  ERR_clear_error();
  return Outcome::Broken;
}

Channel::Transfer Channel::Read(char* to, std::size_t size) {
  if (ssl_ == nullptr) {
    const long got = Receive(to, size);
    if (got > 0) return {Outcome::Done, static_cast<std::size_t>(got)};
    if (got == 0) return {Outcome::End, 0};
    return {errno == EAGAIN ? Outcome::WantRead : Outcome::Broken, 0};
  }
  // Avoid SSL_read, which would allocate a buffer only to find that the socket is empty.
  if (is_drained_ && !HasBufferedInput()) return {Outcome::WantRead, 0};
  ClearErrors();
  std::size_t got = 0;
  const int result = SSL_read_ex(ssl_.get(), to, size, &got);
  if (result == 1) return {Outcome::Done, got};
  return Explain(result);
}

bool Channel::HasBufferedInput() const {
  return ssl_ != nullptr && SSL_has_pending(ssl_.get()) != 0;
}

Channel::Transfer Channel::Write(std::string_view first, std::string_view second) {
  if (ssl_ == nullptr) {
    std::array<iovec, 2> parts{{{const_cast<char*>(first.data()), first.size()},
                                {const_cast<char*>(second.data()), second.size()}}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = second.empty() ? 1 : 2;
    const long sent = sendmsg(socket_, &message, MSG_NOSIGNAL);
    if (sent >= 0) return {Outcome::Done, static_cast<std::size_t>(sent)};
    return {errno == EAGAIN ? Outcome::WantWrite : Outcome::Broken, 0};
  }
  ClearErrors();
  const std::string_view part = first.empty() ? second : first;
  has_more_ = part.size() > SSL3_RT_MAX_PLAIN_LENGTH;
  std::size_t sent = 0;
  const int result = SSL_write_ex(ssl_.get(), part.data(), part.size(), &sent);
  if (result == 1) return {Outcome::Done, sent};
  return Explain(result);
}

void Channel::WritePlain(std::string_view text) {
  static_cast<void>(send(socket_, text.data(), text.size(), MSG_NOSIGNAL));
}

void Channel::FinishWriting() {
  // OpenSSL forbids SSL_shutdown after a failure.
  if (ssl_ != nullptr && !is_broken_ && SSL_is_init_finished(ssl_.get()) == 1) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
  }
  shutdown(socket_, SHUT_WR);
}

}  // namespace plimsoll::net
