#pragma once

#include "base/clock.h"
#include "net/client.h"
#include "net/server.h"

namespace plimsoll::bench {

/// How many bytes a second this machine carries over TLS when it is both ends and does nothing
/// else: half of its processors encrypt and send one ready text, the others receive and decrypt it.
/// A yardstick, not a bound: over many connections more has been seen.
double PumpTls(const net::ServerTls& server, const net::ClientTls& client, Duration duration);

}  // namespace plimsoll::bench
