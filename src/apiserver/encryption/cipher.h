#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::apiserver {

/// Encrypts values with one key, in upstream's format: the random bytes first, then what the
/// algorithm makes of the text. Immutable, safe for use by many threads. The key is wiped at its
/// end.
class Cipher {
 public:
  virtual ~Cipher() = default;

  /// `context` is authenticated where the algorithm can: a value that is moved to another key of
  /// the store does not open there. InternalError when the library fails.
  virtual Result<std::string> Seal(std::string_view plain, std::string_view context) const = 0;
  /// InternalError, in upstream's words, for anything that Seal did not make with the same key and
  /// context.
  virtual Result<std::string> Open(std::string_view sealed, std::string_view context) const = 0;
};

enum class CipherKind : std::uint8_t { AesCbc, AesGcm, Secretbox };

/// REQUIRES: the key is of 16, 24 or 32 bytes; for Secretbox, of 32.
std::unique_ptr<Cipher> MakeCipher(CipherKind kind, std::string_view key);

}  // namespace plimsoll::apiserver
