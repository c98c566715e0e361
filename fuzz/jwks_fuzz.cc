// Parses documents of a token issuer: key sets, discovery metadata and signed tokens. No key may
// verify an empty signature, and a token's signed text must be the beginning of the token.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/authn/jwks.h"
#include "apiserver/authn/jwt.h"
#include "apiserver/limits.h"
#include "base/assert.h"
#include "cost_bound.h"
#include "net/signing_key.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto keys = plimsoll::apiserver::ParseJwks(std::string(text));
  if (keys.has_value()) {
    PL_ASSERT(keys->size() <= plimsoll::apiserver::kJwksKeysMax);
    for (const auto& key : *keys) {
      PL_ASSERT(!key.key.id().empty());
      PL_ASSERT(!key.key.Verify("none", text, ""));
      PL_ASSERT(!key.key.Verify(key.key.algorithm(), text, ""));
    }
  }
  const auto metadata = plimsoll::apiserver::ParseIssuerMetadata(std::string(text));
  PL_ASSERT(!metadata.has_value() || !metadata->jwks_uri.empty());
  const auto token = plimsoll::apiserver::ParseSignedToken(text);
  if (token.has_value()) {
    PL_ASSERT(text.starts_with(token->signed_text));
    PL_ASSERT(token->claims->root().is_object());
    static_cast<void>(plimsoll::apiserver::ReadAudiences(token->claims->root()));
  }
  return 0;
}
