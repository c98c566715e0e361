#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/authn/issuer_keys.h"
#include "base/text/base64.h"
#include "net/key_for_test.h"
#include "net/pki.h"
#include "net/signing_key.h"

namespace plimsoll::apiserver {

/// In-memory OpenID Connect issuer: keys, documents and tokens.
class IssuerForTest {
 public:
  static constexpr std::string_view kUrl = "https://issuer.example";

  /// Adds a signing key with this id.
  void AddKey(const std::string& id, const std::string& pem) {
    keys_.insert_or_assign(id, *net::SigningKey::ReadPem(pem));
  }
  void RemoveKey(const std::string& id) { keys_.erase(id); }
  const net::SigningKey& key(const std::string& id) const { return keys_.at(id); }

  std::string Jwks() const {
    std::string text;
    for (const auto& [id, key] : keys_) {
      const net::KeyNumbers numbers = key.public_key().numbers();
      const bool is_ec = numbers.type == "EC";
      if (!text.empty()) text += ",";
      text += R"({"use":"sig","kty":")" + numbers.type + R"(","kid":")" + id + R"(",)";
      if (is_ec) text += R"("crv":")" + numbers.curve + R"(",)";
      text += std::string(is_ec ? R"("x":")" : R"("n":")") +
              EncodeBase64(numbers.first, Base64::Url) + (is_ec ? R"(","y":")" : R"(","e":")") +
              EncodeBase64(numbers.second, Base64::Url) + "\"}";
    }
    return R"({"keys":[)" + text + "]}";
  }

  static std::string Join(std::string_view header, std::string_view claims,
                          std::string_view signature) {
    return EncodeBase64(header, Base64::Url) + "." + EncodeBase64(claims, Base64::Url) + "." +
           EncodeBase64(signature, Base64::Url);
  }

  /// Returns a token with a valid signature.
  std::string Sign(const std::string& id, std::string_view claims) const {
    const net::SigningKey& key = keys_.at(id);
    const std::string header =
        R"({"alg":")" + std::string(key.public_key().algorithm()) + R"(","kid":")" + id + "\"}";
    const std::string text =
        EncodeBase64(header, Base64::Url) + "." + EncodeBase64(claims, Base64::Url);
    return text + "." + EncodeBase64(*key.Sign(text), Base64::Url);
  }

  /// Returns a function that serves the issuer's documents and records the URLs.
  FetchDocument Fetch() {
    return [this](const std::string& url, const std::string&) -> Result<std::string> {
      fetched.push_back(url);
      if (is_down) return Fail(Reason::ServiceUnavailable, "down");
      if (url == std::string(kUrl) + "/.well-known/openid-configuration") {
        return R"({"issuer":")" + issuer + R"(","jwks_uri":"https://issuer.example/keys"})";
      }
      return Jwks();
    };
  }

  std::string issuer{kUrl};  // in the discovery document
  bool is_down = false;
  std::vector<std::string> fetched;

 private:
  std::map<std::string, net::SigningKey> keys_;
};

}  // namespace plimsoll::apiserver
