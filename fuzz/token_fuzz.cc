// Parses bearer tokens, JWTs and token files. A JWT must have the same claims after it was written
// and parsed again, and an empty token must authenticate nobody.

#include <cstddef>
#include <cstdint>
#include <string>

#include "apiserver/authn/jwt.h"
#include "apiserver/authn/request_authenticator.h"
#include "apiserver/authn/token_file.h"
#include "base/assert.h"
#include "cost_bound.h"

namespace {

using plimsoll::apiserver::ParseJwt;

void CheckJwt(std::string_view token) {
  auto parsed = ParseJwt(token);
  if (!parsed.has_value()) return;
  PL_ASSERT(token.starts_with(parsed->signed_text));
  const std::string again = plimsoll::apiserver::EncodeClaims(parsed->claims, "ES256", "k") + ".";
  const auto reread = ParseJwt(again);
  // Bytes that are no UTF-8 grow when they are written as JSON, and the token may become too long.
  if (!reread.has_value()) {
    PL_ASSERT(again.size() > token.size());
    return;
  }
  PL_ASSERT(plimsoll::apiserver::EncodeClaims(reread->claims, "ES256", "k") + "." == again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
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
