#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::apiserver {

/// Encrypts values with one key, in upstream's format: the nonce or IV first, then the output of
/// the algorithm. Immutable, safe for use by many threads.
/// Erases the key on destruction.
class Cipher {
 public:
  virtual ~Cipher() = default;

  /// AES-GCM authenticates `context`, too: a value moved to another store key cannot be decrypted
  /// there. Other algorithms ignore it. Fails with InternalError if the library fails.
  virtual Result<std::string> Seal(std::string_view plain, std::string_view context) const = 0;
  /// Fails with InternalError and upstream's text for a value of another key or, with AES-GCM, of
  /// another context. AES-CBC has no checksum and may return wrong data.
  virtual Result<std::string> Open(std::string_view sealed, std::string_view context) const = 0;
};

enum class CipherKind : std::uint8_t { AesCbc, AesGcm, Secretbox };

/// REQUIRES: the key has 16, 24 or 32 bytes; 32 for Secretbox.
std::unique_ptr<Cipher> MakeCipher(CipherKind kind, std::string_view key);

}  // namespace plimsoll::apiserver
