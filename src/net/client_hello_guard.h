#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "net/limits.h"

namespace plimsoll::net {

/// Inspects the unencrypted messages of a TLS client before OpenSSL reads them, and rejects a
/// ClientHello that is larger than any legitimate one. OpenSSL would allocate 128 KiB as soon as a
/// client announces such a message.
class ClientHelloGuard {
 public:
  /// Returns false if the connection must be closed. `is_tls_1_3` means that the server has chosen
  /// TLS 1.3: then handshake records are not encrypted after a ChangeCipherSpec.
  bool Check(std::span<const char> bytes, bool is_tls_1_3);

 private:
  /// Returns false for a ClientHello that is too large.
  bool CheckMessages(std::span<const char> bytes);

  bool is_over_ = false;
  bool is_handshake_ = false;
  std::array<std::uint8_t, 5> record_head_{};
  std::size_t record_head_size_ = 0;
  std::size_t record_left_ = 0;
  std::array<std::uint8_t, 4> message_head_{};
  std::size_t message_head_size_ = 0;
  std::size_t message_left_ = 0;
};

}  // namespace plimsoll::net
