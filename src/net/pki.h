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

Result<KeyPair> MakeAuthority(std::string_view common_name, Instant not_before, Duration lifetime);
/// With names: for servers; without: for clients.
Result<KeyPair> IssueCertificate(const KeyPair& authority, const CertificateRequest& request);

struct CertificateFacts {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;
  Instant not_before;
  Instant not_after;
};
Result<CertificateFacts> ReadCertificate(std::string_view pem);

/// ES256 over a text, for tokens: a raw 64-byte signature.
Result<std::string> SignEs256(std::string_view key_pem, std::string_view text);
/// By the public key of a key PEM or of a certificate PEM.
bool VerifyEs256(std::string_view pem, std::string_view text, std::string_view signature);
Result<std::string> MakeSigningKey();

std::string Base64UrlEncode(std::string_view bytes);
Result<std::string> Base64UrlDecode(std::string_view text);
std::string Base64Encode(std::string_view bytes);
Result<std::string> Base64Decode(std::string_view text);
std::string Sha256Hex(std::string_view bytes);

}  // namespace plimsoll::net
