// No token text does harm: what parses as a JWT is written back to the same claims, and what nobody
// signed is nobody's.

#include <cstddef>
#include <cstdint>
#include <string>

#include "apiserver/authn/jwt.h"
#include "apiserver/authn/request_authenticator.h"
#include "apiserver/authn/token_file.h"
#include "base/assert.h"

namespace {

using plimsoll::apiserver::ParseJwt;

void CheckJwt(std::string_view token) {
  auto parsed = ParseJwt(token);
  if (!parsed.has_value()) return;
  PL_ASSERT(token.starts_with(parsed->signed_text));
  const std::string again = plimsoll::apiserver::EncodeClaims(parsed->claims, "ES256", "k") + ".";
  const auto reread = ParseJwt(again);
  // Bytes that are no UTF-8 grow when they are written as JSON, perhaps beyond the bound.
  if (!reread.has_value()) {
    PL_ASSERT(again.size() > token.size());
    return;
  }
  PL_ASSERT(plimsoll::apiserver::EncodeClaims(reread->claims, "ES256", "k") + "." == again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::string_view token = plimsoll::apiserver::BearerToken(text);
  PL_ASSERT(token.find(' ') == std::string_view::npos);
  CheckJwt(text);
  const auto file = plimsoll::apiserver::TokenFile::Parse("fuzz", text);
  if (file.has_value()) {
    const auto none = file->AuthenticateToken("", {});
    PL_ASSERT(none.has_value() && !none->has_value());
  }
  return 0;
}
