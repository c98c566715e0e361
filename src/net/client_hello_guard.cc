#include "net/client_hello_guard.h"

#include <algorithm>

#include "net/limits.h"

namespace plimsoll::net {
namespace {

// Numbers of RFC 8446: record types and handshake messages.
constexpr std::uint8_t kChangeCipherSpec = 20;
constexpr std::uint8_t kHandshake = 22;
constexpr std::uint8_t kApplicationData = 23;
constexpr std::uint8_t kClientHello = 1;

}  // namespace

bool ClientHelloGuard::CheckMessages(std::span<const char> bytes) {
  while (!bytes.empty()) {
    if (message_left_ > 0) {
      const std::size_t size = std::min(message_left_, bytes.size());
      message_left_ -= size;
      bytes = bytes.subspan(size);
      continue;
    }
    message_head_[message_head_size_++] = static_cast<std::uint8_t>(bytes.front());
    bytes = bytes.subspan(1);
    if (message_head_size_ < message_head_.size()) continue;
    message_head_size_ = 0;
    message_left_ = static_cast<std::size_t>(message_head_[1]) << 16 |
                    static_cast<std::size_t>(message_head_[2]) << 8 | message_head_[3];
    if (message_head_[0] == kClientHello && message_left_ > kClientHelloBytesMax) return false;
  }
  return true;
}

bool ClientHelloGuard::Check(std::span<const char> bytes, bool is_tls_1_3) {
  while (!is_over_ && !bytes.empty()) {
    if (record_left_ > 0) {
      const std::size_t size = std::min(record_left_, bytes.size());
      if (is_handshake_ && !CheckMessages(bytes.first(size))) return false;
      record_left_ -= size;
      bytes = bytes.subspan(size);
      continue;
    }
    record_head_[record_head_size_++] = static_cast<std::uint8_t>(bytes.front());
    bytes = bytes.subspan(1);
    if (record_head_size_ < record_head_.size()) continue;
    record_head_size_ = 0;
    record_left_ = static_cast<std::size_t>(record_head_[3]) << 8 | record_head_[4];
    is_handshake_ = record_head_[0] == kHandshake;
    // All later records are encrypted.
    is_over_ = record_head_[0] == kApplicationData ||
               (record_head_[0] == kChangeCipherSpec && !is_tls_1_3);
  }
  return true;
}

}  // namespace plimsoll::net
