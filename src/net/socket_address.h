#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

struct sockaddr;

namespace plimsoll::net {

/// Formats as `127.0.0.1:80` or `[::1]:80`.
std::string FormatAddress(const sockaddr* address);
/// Returns the bytes of an IPv4 address, or the first 64 bits of an IPv6 address, because one
/// client can own a whole /64 network.
std::string SourceNetwork(const sockaddr* address);
std::string JoinHostPort(std::string_view host, std::uint16_t port);

/// Returns a listening socket. The error names the address and the remedy.
Result<int> Listen(const std::string& address, std::uint16_t port);
std::uint16_t PortOf(int socket);

/// Sends small messages at once (TCP_NODELAY), and detects a peer that has vanished (keep-alive).
void TuneSocket(int socket);
/// Closes the connection if the peer acknowledges nothing for `unacknowledged_max`; zero: the
/// system's default.
void SetTcpUserTimeout(int socket, Duration unacknowledged_max);

}  // namespace plimsoll::net
