#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "base/virtual_clock.h"
#include "net/http.h"

/// For the tests of this folder.
namespace plimsoll::net {

inline Response TextResponse(std::string body, int status = 200) {
  Response response{.status = status, .headers = {{"Content-Type", "text/plain"}}};
  response.body = MakeBytes(std::move(body));
  return response;
}

using HandlerFunction = std::function<void(Request, std::shared_ptr<Exchange>)>;

/// Calls the function when the head of a request has arrived.
class HeadHandler final : public Handler {
 public:
  explicit HeadHandler(HandlerFunction function) : function_(std::move(function)) {}
  void Serve(Request request, std::shared_ptr<Exchange> exchange) override {
    function_(std::move(request), std::move(exchange));
  }

 private:
  HandlerFunction function_;
};

/// Calls the function when the body has arrived; answers 413 if it is too large.
class FunctionHandler final : public Handler {
 public:
  using Function = HandlerFunction;
  explicit FunctionHandler(Function function, std::size_t body_bytes_max = 3u << 20)
      : function_(std::move(function)), body_bytes_max_(body_bytes_max) {}
  void Serve(Request request, std::shared_ptr<Exchange> exchange) override {
    if (!request.unread_body) return function_(std::move(request), std::move(exchange));
    Exchange& reader = *exchange;
    reader.ReadBody(body_bytes_max_, [this, request = std::move(request),
                                      exchange = std::move(exchange)](ReceivedBody body) mutable {
      if (body.is_too_large) return exchange->Respond(TextResponse("too large", 413));
      request.body = std::move(body.text);
      function_(std::move(request), std::move(exchange));
    });
  }

 private:
  Function function_;
  const std::size_t body_bytes_max_;
};

/// A value that one thread waits for and another provides.
template <class T>
class Mailbox {
 public:
  void Put(T value) {
    const std::scoped_lock lock(mutex_);
    value_ = std::move(value);
    is_full_ = true;
    filled_.notify_all();
  }
  T Pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return is_full_; });
    is_full_ = false;
    return std::move(value_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  T value_{};
  bool is_full_ = false;
};

/// A plain socket to a local port, to send what no well-behaved client sends.
class RawPeer {
 public:
  explicit RawPeer(std::uint16_t port, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) {
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    // A test that waits in vain fails instead of blocking.
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawPeer() { Close(); }
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;

  bool is_connected() const { return is_connected_; }
  /// Returns false if the peer has closed the connection.
  bool Send(std::string_view text) {
    return send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text.size());
  }
  void SetSendTimeout(std::chrono::milliseconds timeout) {
    const timeval patience{.tv_sec = 0, .tv_usec = timeout.count() * 1000};
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  void FinishSending() { shutdown(socket_, SHUT_WR); }
  /// Reads to the end of the connection.
  std::string ReadAll() {
    while (Receive()) {
    }
    return std::exchange(received_, {});
  }
  /// Reads up to and including `mark`, or to the end.
  std::string ReadUntil(std::string_view mark) {
    std::size_t at = std::string::npos;
    while ((at = received_.find(mark)) == std::string::npos && Receive()) {
    }
    std::string text = received_.substr(0, at == std::string::npos ? at : at + mark.size());
    received_.erase(0, text.size());
    return text;
  }
  void Close() {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
  }

 private:
  bool Receive() {
    char part[16384];
    const ssize_t size = recv(socket_, part, sizeof part, 0);
    if (size <= 0) return false;
    received_.append(part, static_cast<std::size_t>(size));
    return true;
  }

  int socket_;
  bool is_connected_ = false;
  std::string received_;
};

/// A logger with a fixed time, whose lines are not read.
struct QuietLog {
  VirtualClock clock{Instant(std::chrono::seconds(784111777))};  // Sun, 06 Nov 1994 08:49:37
  MemorySink sink;
  Logger log{clock, sink};
};

}  // namespace plimsoll::net
