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
  std::vector<std::string> names;  // DNS names and IP addresses; makes it a server's
  Instant not_before;
  Duration lifetime = std::chrono::hours(24 * 365);
};

/// InternalError when OpenSSL fails.
Result<KeyPair> MakeAuthority(std::string_view common_name, Instant not_before, Duration lifetime);
/// With names: for servers; without: for clients. Invalid: the authority is none, or its key is
/// not that of its certificate.
Result<KeyPair> IssueCertificate(const KeyPair& authority, const CertificateRequest& request);

struct CertificateFacts {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;
  Instant not_before;
  Instant not_after;
};
/// Of the first in the text. Invalid when there is none.
Result<CertificateFacts> ReadCertificate(std::string_view pem);

/// Returns a new private key on P-256 in PEM form, for signing_key.h.
Result<std::string> MakeSigningKey();

std::string Base64UrlEncode(std::string_view bytes);
/// Without padding, as in tokens. BadRequest for anything else.
Result<std::string> Base64UrlDecode(std::string_view text);
std::string Base64Encode(std::string_view bytes);
/// With padding; line ends are skipped. BadRequest for anything else.
Result<std::string> Base64Decode(std::string_view text);
/// Returns the 32 bytes of the digest.
std::string Sha256(std::string_view bytes);
std::string Sha256Hex(std::string_view bytes);
/// In lower case.
std::string HexEncode(std::string_view bytes);

}  // namespace plimsoll::net
