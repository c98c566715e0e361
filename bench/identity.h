#pragma once

#include "base/clock.h"
#include "net/client.h"
#include "net/pki.h"
#include "net/server.h"

namespace plimsoll::bench {

/// A certificate authority and a certificate for a server at 127.0.0.1.
struct Identity {
  explicit Identity(Instant now);

  net::ServerTls ForServer() const;
  net::ClientTls ForClient() const;

  net::KeyPair authority;
  net::KeyPair server;
};

}  // namespace plimsoll::bench
