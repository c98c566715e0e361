#pragma once

#include "base/clock.h"
#include "net/client.h"
#include "net/pki.h"
#include "net/server.h"

namespace plimsoll::bench {

/// An authority and the certificate of a server at 127.0.0.1, which clients can check.
struct Identity {
  explicit Identity(Instant now);

  net::ServerTls ForServer() const;
  net::ClientTls ForClient() const;

  net::KeyPair authority;
  net::KeyPair server;
};

}  // namespace plimsoll::bench
