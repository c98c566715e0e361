#pragma once

#include <optional>

#include "net/client.h"
#include "net/openssl.h"
#include "net/server.h"

namespace plimsoll::net {

/// Invalid: which of the texts is wrong, and how.
Result<SharedSslContext> MakeServerContext(const ServerTls& tls);
Result<SharedSslContext> MakeClientContext(const ClientTls& tls);

/// What the other side of a server's connection has shown, after the handshake.
struct PeerProof {
  std::optional<PeerCertificate> certificate;
  bool is_bad = false;  // a certificate was shown that our CA has not signed, or not for this time
};
PeerProof CheckPeer(SSL* ssl);

}  // namespace plimsoll::net
