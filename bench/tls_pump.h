#pragma once

#include "base/clock.h"
#include "net/client.h"
#include "net/server.h"

namespace plimsoll::bench {

/// How many bytes a second this machine carries over TLS at the most, when it is both ends: half of
/// its processors do nothing but encrypt and send one ready text, the others receive and decrypt
/// it. Nothing that serves or reads over TLS here can be faster.
double PumpTls(const net::ServerTls& server, const net::ClientTls& client, Duration duration);

}  // namespace plimsoll::bench
