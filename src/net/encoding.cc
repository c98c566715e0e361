#include <openssl/sha.h>

#include <array>

#include "base/text/hex.h"
#include "net/pki.h"

namespace plimsoll::net {

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string Sha256Hex(std::string_view bytes) { return HexOf(Sha256(bytes)); }

}  // namespace plimsoll::net
