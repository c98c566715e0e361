// Parses and validates an AuthenticationConfiguration. A valid one must be usable.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "apiserver/authn/authentication_config.h"
#include "apiserver/authn/jwt_authenticator.h"
#include "base/assert.h"
#include "base/log.h"
#include "base/virtual_clock.h"
#include "cost_bound.h"

namespace {

using plimsoll::apiserver::IssuerKeys;
using plimsoll::apiserver::JwtAuthenticator;
using plimsoll::apiserver::JwtConfig;
using plimsoll::apiserver::ParseAuthenticationConfig;
using plimsoll::apiserver::ValidateAuthenticationConfig;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static plimsoll::VirtualClock clock{plimsoll::Instant(std::chrono::seconds(1'800'000'000))};
  static plimsoll::MemorySink sink;
  static plimsoll::Logger log(clock, sink);
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto config = ParseAuthenticationConfig(text);
  if (!config.has_value() || !ValidateAuthenticationConfig(*config, {}).empty()) return 0;
  for (const JwtConfig& jwt : config->jwt) {
    const auto fetch = [](const std::string&, const std::string&) {
      return plimsoll::Result<std::string>();
    };
    const auto keys = std::make_shared<IssuerKeys>(jwt.issuer, fetch, clock, log);
    PL_ASSERT(JwtAuthenticator::Make(jwt, keys, {"api"}, clock).has_value());
  }
  return 0;
}
