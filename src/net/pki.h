#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

/// Keys and certificates, all ECDSA P-256, as PEM texts.
namespace plimsoll::net {

struct KeyPair {
  std::string certificate_pem;
  std::string key_pem;
};

struct CertificateRequest {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;  // DNS names and IP addresses; makes it a server certificate
  Instant not_before;
  Duration lifetime = std::chrono::hours(24 * 365);
};

/// InternalError: OpenSSL failed.
Result<KeyPair> MakeAuthority(std::string_view common_name, Instant not_before, Duration lifetime);
/// Issues a server certificate if the request has names, otherwise a client certificate. Invalid:
/// the authority is no CA, or its key does not match its certificate.
Result<KeyPair> IssueCertificate(const KeyPair& authority, const CertificateRequest& request);

struct CertificateFacts {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;
  Instant not_before;
  Instant not_after;
};
/// Reads the first certificate in the text. Invalid: there is none.
Result<CertificateFacts> ReadCertificate(std::string_view pem);

/// Returns a new private key on P-256 in PEM form, for signing_key.h.
Result<std::string> MakeSigningKey();

/// Returns the 32 bytes of the digest.
std::string Sha256(std::string_view bytes);
std::string Sha256Hex(std::string_view bytes);

}  // namespace plimsoll::net
