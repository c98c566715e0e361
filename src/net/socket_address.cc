#include "net/socket_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace plimsoll::net {
namespace {

constexpr int kBacklog = 4096;

void SetOption(int socket, int level, int option, int value) {
  setsockopt(socket, level, option, &value, sizeof value);
}

std::string Remedy(int error) {
  switch (error) {
    case EADDRINUSE:
      return "the port is taken; stop what listens there, or choose another port";
    case EACCES:
      return "no permission; ports below 1024 need root or CAP_NET_BIND_SERVICE";
    case EADDRNOTAVAIL:
      return "this machine has no such address; choose one of its own, or 0.0.0.0 for all";
    case EMFILE:
    case ENFILE:
      return "too many open files; raise the limit (ulimit -n)";
    default:
      return std::strerror(error);
  }
}

}  // namespace

std::string JoinHostPort(std::string_view host, std::uint16_t port) {
  std::string text(host);
  if (host.find(':') != std::string_view::npos) text = "[" + text + "]";
  return text + ":" + std::to_string(port);
}

std::string FormatAddress(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> host{};
  if (address->sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, address, sizeof v4);
    inet_ntop(AF_INET, &v4.sin_addr, host.data(), host.size());
    return JoinHostPort(host.data(), ntohs(v4.sin_port));
  }
  sockaddr_in6 v6;
  std::memcpy(&v6, address, sizeof v6);
  // A dual-stack socket shows IPv4 addresses as mapped IPv6 addresses.
  if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
    inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[12], host.data(), host.size());
  } else {
    inet_ntop(AF_INET6, &v6.sin6_addr, host.data(), host.size());
  }
  return JoinHostPort(host.data(), ntohs(v6.sin6_port));
}

std::string SourceNetwork(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, address, sizeof v4);
    return {reinterpret_cast<const char*>(&v4.sin_addr), sizeof v4.sin_addr};
  }
  sockaddr_in6 v6;
  std::memcpy(&v6, address, sizeof v6);
  const auto* const bytes = reinterpret_cast<const char*>(v6.sin6_addr.s6_addr);
  return IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr) ? std::string(bytes + 12, 4) : std::string(bytes, 8);
}

Result<int> Listen(const std::string& address, std::uint16_t port) {
  const std::string where = "cannot listen on " + JoinHostPort(address, port) + ": ";
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  const int failure = getaddrinfo(address.empty() ? nullptr : address.c_str(),
                                  std::to_string(port).c_str(), &wanted, &first);
  if (failure != 0) {
    return Fail(Reason::Invalid,
                where + gai_strerror(failure) + "; want an address such as 127.0.0.1 or ::1");
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(first, freeaddrinfo);
  const int socket = ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return Fail(Reason::InternalError, where + Remedy(errno));
  SetOption(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  if (bind(socket, found->ai_addr, found->ai_addrlen) != 0 || listen(socket, kBacklog) != 0) {
    const int error = errno;
    close(socket);
    return Fail(Reason::InternalError, where + Remedy(error));
  }
  return socket;
}

std::uint16_t PortOf(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  sockaddr_in6 v6;  // the port has the same place as in IPv4
  std::memcpy(&v6, &address, sizeof v6);
  return ntohs(v6.sin6_port);
}

void TuneSocket(int socket) {
  SetOption(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  SetOption(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  SetOption(socket, IPPROTO_TCP, TCP_KEEPIDLE, 15);
  SetOption(socket, IPPROTO_TCP, TCP_KEEPINTVL, 15);
}

void SetTcpUserTimeout(int socket, Duration unacknowledged_max) {
  if (unacknowledged_max <= Duration::zero()) return;
  const auto count = std::chrono::ceil<std::chrono::milliseconds>(unacknowledged_max).count();
  SetOption(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(count));
}

}  // namespace plimsoll::net
