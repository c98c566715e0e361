#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

struct sockaddr;

namespace plimsoll::net {

/// `127.0.0.1:80`, `[::1]:80`.
std::string FormatAddress(const sockaddr* address);
/// Returns the bytes of an IPv4 address, or of the first 64 bits of an IPv6 address: one client can
/// have all the rest.
std::string SourceNetwork(const sockaddr* address);
std::string JoinHostPort(std::string_view host, std::uint16_t port);

/// A socket that listens. The error names the address and what can be done.
Result<int> Listen(const std::string& address, std::uint16_t port);
std::uint16_t PortOf(int socket);

/// For small messages that should not wait for others, and to notice a peer that has vanished.
void TuneSocket(int socket);
/// Gives a connection up when the other side acknowledges nothing for so long; zero: as the system
/// has it.
void LimitUnheard(int socket, Duration unheard_max);

}  // namespace plimsoll::net
