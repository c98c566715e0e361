#pragma once

#include <optional>

#include "net/client.h"
#include "net/openssl.h"
#include "net/server.h"

namespace plimsoll::net {

/// Invalid: says which of the texts is wrong, and why.
Result<SharedSslContext> MakeServerContext(const ServerTls& tls);
Result<SharedSslContext> MakeClientContext(const ClientTls& tls);

/// Client certificate of a connection, after the handshake.
struct PeerIdentity {
  std::optional<PeerCertificate> certificate;
  bool is_bad = false;  // sent a certificate that is not signed by our CA, or is not valid now
};
PeerIdentity CheckPeer(SSL* ssl);

}  // namespace plimsoll::net
