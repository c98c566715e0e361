// Reads a certificate of a peer or of a file, as PEM text and as DER wrapped into PEM. No
// certificate may verify a signature that nobody made.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/text/base64.h"
#include "cost_bound.h"
#include "net/pki.h"
#include "net/signing_key.h"

namespace {

std::string PemOf(std::string_view der) {
  constexpr std::size_t kLineBytes = 64;
  std::string out = "-----BEGIN CERTIFICATE-----\n";
  const std::string text = plimsoll::EncodeBase64(der);
  for (std::size_t at = 0; at < text.size(); at += kLineBytes) {
    out += text.substr(at, kLineBytes) + "\n";
  }
  return out + "-----END CERTIFICATE-----\n";
}

void Check(std::string_view pem) {
  const auto facts = plimsoll::net::ReadCertificate(pem);
  if (!facts) PL_ASSERT(!facts.error().message.empty());
  const auto keys = plimsoll::net::VerifyingKey::ReadPem(pem);
  if (!keys) {
    PL_ASSERT(!keys.error().message.empty());
    return;
  }
  PL_ASSERT(!keys->empty());
  for (const auto& key : *keys) {
    PL_ASSERT(!key.Verify(key.algorithm(), "nobody signed this", std::string(64, '\1')));
    const auto again = plimsoll::net::VerifyingKey::FromNumbers(key.numbers());
    if (again) PL_ASSERT(again->id() == key.id());
  }
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
