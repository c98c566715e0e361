#include "net/client_connection.h"

#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "base/async.h"
#include "base/real_clock.h"
#include "net/limits.h"
#include "net/socket_address.h"

namespace plimsoll::net {
namespace {

constexpr std::size_t kReadSize = 64u << 10;

timespec ToTimespec(Duration time) {
  return {.tv_sec = time.count() / 1'000'000'000, .tv_nsec = time.count() % 1'000'000'000};
}

}  // namespace

Waiter::Waiter() : cancel_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Waiter::~Waiter() {
  if (cancel_fd_ >= 0) close(cancel_fd_);
}

void Waiter::Start(Duration timeout) {
  deadline_.reset();
  if (timeout > Duration::zero()) deadline_ = SteadyTime() + timeout;
  if (!is_cancelled_.exchange(false)) return;
  std::uint64_t rings = 0;
  static_cast<void>(!read(cancel_fd_, &rings, sizeof rings));
}

void Waiter::Cancel() {
  is_cancelled_ = true;
  const std::uint64_t one = 1;
  static_cast<void>(!write(cancel_fd_, &one, sizeof one));
  const std::scoped_lock lock(mutex_);
  if (poller_ != nullptr) poller_->Cancel(ticket_);
}

/// Returns nullopt if the thread has to block.
std::optional<Waiter::Outcome> Waiter::WaitAsFiber(int socket, short events,
                                                   std::optional<SocketPoller::Time> end) {
  SocketPoller* const poller = SocketPoller::ForCurrentFiber();
  if (poller == nullptr) return std::nullopt;
  SocketPoller::Waiting waiting;
  const std::optional<SocketPoller::Ticket> ticket =
      poller->BeginWait(socket, events, end, waiting);
  if (!ticket.has_value()) return std::nullopt;
  {
    const std::scoped_lock lock(mutex_);
    poller_ = poller;
    ticket_ = *ticket;
  }
  if (is_cancelled_) poller->Cancel(*ticket);  // Cancel may have run before ticket_ was set
  waiting.event.Wait();
  const std::scoped_lock lock(mutex_);
  poller_ = nullptr;
  return waiting.outcome;
}

Waiter::Outcome Waiter::Wait(int socket, short events, Duration time_max) {
  std::array<pollfd, 2> files{{{cancel_fd_, POLLIN, 0}, {socket, events, 0}}};
  std::optional<SocketPoller::Time> end = deadline_;
  if (time_max > Duration::zero()) {
    const SocketPoller::Time own = SteadyTime() + time_max;
    end = std::min(end.value_or(own), own);
  }
  if (const auto outcome = WaitAsFiber(socket, events, end)) return *outcome;
  while (true) {
    timespec left{};
    if (end.has_value()) {
      left = ToTimespec(std::max<Duration>(*end - SteadyTime(), Duration::zero()));
    }
    const int count = ppoll(files.data(), files.size(), end.has_value() ? &left : nullptr, nullptr);
    if (count < 0 && errno == EINTR) continue;
    if (files[0].revents != 0) return Outcome::Cancelled;
    if (files[1].revents != 0) return Outcome::Ready;
    return Outcome::TimedOut;
  }
}

Result<Endpoint> ParseUrl(std::string_view url) {
  const auto refuse = [&] {
    return Fail(Reason::BadRequest,
                "want a URL such as https://127.0.0.1:6443, got \"" + std::string(url) + "\"");
  };
  Endpoint endpoint;
  std::string_view rest = url;
  if (rest.starts_with("https://")) {
    endpoint.is_tls = true;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else {
    return refuse();
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  endpoint.path = rest.substr(slash);
  while (endpoint.path.ends_with('/')) endpoint.path.pop_back();
  endpoint.server = std::string(url.substr(0, url.size() - rest.size() + slash));
  std::string_view place = rest.substr(0, slash);
  endpoint.port = endpoint.is_tls ? 443 : 80;
  const std::size_t bracket = place.starts_with('[') ? place.find(']') : 0;
  if (bracket == std::string_view::npos || place.find_first_of("@?# \r\n") != place.npos) {
    return refuse();
  }
  if (const std::size_t colon = place.find(':', bracket); colon != std::string_view::npos) {
    const std::string_view digits = place.substr(colon + 1);
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, endpoint.port);
    if (error != std::errc{} || stop != end) return refuse();
    place = place.substr(0, colon);
  }
  if (bracket > 0) place = place.substr(1, bracket - 1);
  endpoint.host = place;
  if (endpoint.host.empty()) return refuse();
  return endpoint;
}

std::unexpected<Error> ClientConnection::Broken(std::string_view what) const {
  return Fail(Reason::ServiceUnavailable, endpoint_.server + ": " + std::string(what));
}

Status ClientConnection::Await(Channel::Outcome wanted, Waiter& waiter, Duration time_max) {
  const bool reads = wanted == Channel::Outcome::WantRead;
  switch (waiter.Wait(channel_.socket(), reads ? POLLIN : POLLOUT, time_max)) {
    case Waiter::Outcome::Ready:
      if (reads) channel_.MarkReadable();
      return {};
    case Waiter::Outcome::TimedOut:
      return Fail(Reason::Timeout, endpoint_.server + ": the request timed out");
    case Waiter::Outcome::Cancelled:
      return Fail(Reason::Timeout, endpoint_.server + ": the request was cancelled");
  }
  return {};
}

Result<int> Dial(const Endpoint& endpoint, Duration connect_timeout, Waiter& waiter) {
  addrinfo wanted{};
  wanted.ai_flags = AI_NUMERICSERV;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  // RFC 6761: localhost is always the loopback address, and a bare system may not resolve it.
  const char* const host = endpoint.host == "localhost" ? nullptr : endpoint.host.c_str();
  const int failure = getaddrinfo(host, std::to_string(endpoint.port).c_str(), &wanted, &first);
  const auto refuse = [&](const std::string& why) {
    return Fail(Reason::ServiceUnavailable, "cannot reach " + endpoint.server + ": " + why);
  };
  if (failure != 0) return refuse(gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(first, freeaddrinfo);
  int error = 0;
  for (const addrinfo* address = first; address != nullptr; address = address->ai_next) {
    const int socket = ::socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket < 0) {
      error = errno;
      continue;
    }
    error = connect(socket, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
      const Waiter::Outcome outcome = waiter.Wait(socket, POLLOUT, connect_timeout);
      if (outcome == Waiter::Outcome::Cancelled) {
        close(socket);
        return Fail(Reason::Timeout, endpoint.server + ": the request was cancelled");
      }
      socklen_t size = sizeof error;
      getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
      if (outcome == Waiter::Outcome::TimedOut) error = ETIMEDOUT;
    }
    if (error == 0) {
      TuneSocket(socket);
      SetTcpUserTimeout(socket, endpoint.unacknowledged_max);
      return socket;
    }
    close(socket);
  }
  return refuse(std::strerror(error));
}

Status ClientConnection::Handshake(Duration connect_timeout, Waiter& waiter) {
  while (true) {
    const Channel::Outcome outcome = channel_.Handshake();
    if (outcome == Channel::Outcome::Done) return {};
    if (outcome == Channel::Outcome::End || outcome == Channel::Outcome::Broken) {
      return Fail(Reason::ServiceUnavailable,
                  "cannot reach " + endpoint_.server + ": TLS: " + channel_.failure());
    }
    PL_TRY(Await(outcome, waiter, connect_timeout));
  }
}

Result<std::unique_ptr<ClientConnection>> ClientConnection::Open(
    const Endpoint& endpoint, const std::shared_ptr<ssl_ctx_st>& context,
    const std::string& server_name, Duration connect_timeout, Waiter& waiter) {
  const int socket = PL_TRY(Dial(endpoint, connect_timeout, waiter));
  std::unique_ptr<ClientConnection> connection(new ClientConnection(endpoint, socket));
  if (endpoint.is_tls) {
    if (!connection->channel_.StartTlsAsClient(context, server_name)) {
      return connection->Broken("cannot set up TLS");
    }
    PL_TRY(connection->Handshake(connect_timeout, waiter));
  }
  return connection;
}

bool ClientConnection::IsStale() const {
  char byte = 0;
  return !in_.empty() || recv(channel_.socket(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 ||
         errno != EAGAIN;
}

Status ClientConnection::Send(std::string_view head, std::string_view body, Waiter& waiter) {
  is_unanswered_ = true;
  is_reusable_ = false;
  while (!head.empty() || !body.empty()) {
    const Channel::Transfer transfer = channel_.Write(head, body);
    if (transfer.outcome == Channel::Outcome::Done) {
      const std::size_t of_head = std::min(transfer.bytes, head.size());
      head.remove_prefix(of_head);
      body.remove_prefix(transfer.bytes - of_head);
    } else if (transfer.outcome == Channel::Outcome::WantRead ||
               transfer.outcome == Channel::Outcome::WantWrite) {
      PL_TRY(Await(transfer.outcome, waiter));
    } else {
      return Broken("the connection broke while the request was sent");
    }
  }
  return {};
}

Channel::Transfer ClientConnection::ReadOnce() {
  const std::size_t start = in_.size();
  Channel::Transfer transfer;
  in_.resize_and_overwrite(start + kReadSize, [&](char* data, std::size_t size) {
    transfer = channel_.Read(data + start, size - start);
    return start + transfer.bytes;
  });
  return transfer;
}

Result<bool> ClientConnection::Receive(Waiter& waiter) {
  while (true) {
    const Channel::Transfer transfer = ReadOnce();
    switch (transfer.outcome) {
      case Channel::Outcome::Done:
        is_unanswered_ = false;
        // Also take further records that have arrived. If one fails, the next read reports it.
        while (in_.size() < kReadSize && channel_.HasBufferedInput() &&
               ReadOnce().outcome == Channel::Outcome::Done) {
        }
        return true;
      case Channel::Outcome::WantRead:
      case Channel::Outcome::WantWrite:
        PL_TRY(Await(transfer.outcome, waiter));
        break;
      case Channel::Outcome::End:
        return false;
      case Channel::Outcome::Broken:
        return Broken("the connection broke");
    }
  }
}

Result<ResponseHead> ClientConnection::ReadHead(Waiter& waiter) {
  while (true) {
    HeadScanner scanner;
    HeadScanner::Outcome outcome = scanner.Scan(in_);
    while (outcome == HeadScanner::Outcome::More && in_.size() <= kResponseHeadBytesMax) {
      if (!PL_TRY(Receive(waiter))) return Broken("the connection was closed without a response");
      outcome = scanner.Scan(in_);
    }
    if (outcome != HeadScanner::Outcome::Found) return Broken("the response is malformed");
    std::optional<ResponseHead> head =
        ParseResponseHead(std::string_view(in_).substr(0, scanner.size()));
    in_.erase(0, scanner.size());
    if (!head.has_value()) return Broken("the response is malformed");
    if (head->status >= 200) return std::move(*head);
  }
}

Result<bool> ClientConnection::ReadChunks(Waiter& waiter,
                                          const std::function<bool(std::string&)>& take) {
  ChunkDecoder decoder;
  std::string part;
  while (true) {
    std::string_view rest = in_;
    const ChunkDecoder::Outcome outcome =
        decoder.Decode(rest, part, std::numeric_limits<std::size_t>::max());
    in_.erase(0, in_.size() - rest.size());
    if (!part.empty() && !take(part)) return false;
    part.clear();
    if (outcome == ChunkDecoder::Outcome::Done) return true;
    if (outcome != ChunkDecoder::Outcome::More) return Broken("the response is malformed");
    if (!PL_TRY(Receive(waiter))) return Broken("the connection was closed within a response");
  }
}

Result<bool> ClientConnection::ReadBody(const ResponseHead& head, bool is_head_request,
                                        Waiter& waiter,
                                        const std::function<bool(std::string&)>& take) {
  const bool is_bodyless = is_head_request || head.status == 204 || head.status == 304;
  if (head.is_chunked && !is_bodyless) {
    if (!PL_TRY(ReadChunks(waiter, take))) return false;
  } else if (!is_bodyless) {
    const bool until_close = !head.content_length.has_value();
    std::uint64_t left = head.content_length.value_or(std::numeric_limits<std::uint64_t>::max());
    while (left > 0) {
      if (in_.empty() && !PL_TRY(Receive(waiter))) {
        if (until_close) return true;
        return Broken("the connection was closed within a response");
      }
      std::string part = std::exchange(in_, {});
      if (part.size() > left) {
        in_ = part.substr(left);
        part.resize(left);
      }
      left -= part.size();
      if (!take(part)) return false;
    }
  }
  is_reusable_ = head.keeps_alive && in_.empty();
  return true;
}

}  // namespace plimsoll::net
