#include "identity.h"

#include <chrono>

namespace plimsoll::bench {

using namespace std::chrono_literals;

Identity::Identity(Instant now)
    : authority(net::MakeAuthority("bench", now - 1h, 24h).value()),
      server(
          net::IssueCertificate(authority, {"server", {}, {"127.0.0.1"}, now - 1h, 24h}).value()) {}

net::ServerTls Identity::ForServer() const {
  return {server.certificate_pem, server.key_pem, authority.certificate_pem};
}

net::ClientTls Identity::ForClient() const { return {.ca_pem = authority.certificate_pem}; }

}  // namespace plimsoll::bench
