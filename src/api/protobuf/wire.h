#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace plimsoll::api {

enum class WireType : std::uint8_t { Varint, Fixed64, Bytes, StartGroup, EndGroup, Fixed32 };

/// One field of a protobuf message, as encoded.
struct WireField {
  std::uint32_t tag = 0;
  WireType type = WireType::Bytes;
  std::uint64_t varint = 0;  // for a Varint
  std::string_view bytes;    // for Bytes; a view of the message
};

/// Reads a protobuf message field by field. The message must outlive the fields.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  bool at_end() const { return rest_.empty(); }
  /// Returns the next field; a group counts as one field. BadRequest in the words of upstream's
  /// decoders: `unexpected EOF`, `proto: integer overflow`, …
  Result<WireField> Next();
  Result<std::uint64_t> Varint();

 private:
  Result<WireField> ReadField();
  Result<std::string_view> ReadBytes(std::uint64_t size);
  Status SkipGroup();

  std::string_view rest_;
};

}  // namespace plimsoll::api
