// What a peer, or a file, shows as a certificate: as PEM text, and as DER that is put into PEM. It
// is read or refused, and no signature that nobody made is taken for good.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "cost_bound.h"
#include "net/pki.h"

namespace {

std::string PemOf(std::string_view der) {
  constexpr std::size_t kLineBytes = 64;
  std::string out = "-----BEGIN CERTIFICATE-----\n";
  const std::string text = plimsoll::net::Base64Encode(der);
  for (std::size_t at = 0; at < text.size(); at += kLineBytes) {
    out += text.substr(at, kLineBytes) + "\n";
  }
  return out + "-----END CERTIFICATE-----\n";
}

void Check(std::string_view pem) {
  const auto facts = plimsoll::net::ReadCertificate(pem);
  if (!facts) PL_ASSERT(!facts.error().message.empty());
  PL_ASSERT(!plimsoll::net::VerifyEs256(pem, "nobody signed this", std::string(64, '\1')));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const plimsoll::fuzz::CostBound bound(size);
  Check(text);
  Check(PemOf(text));
  return 0;
}
