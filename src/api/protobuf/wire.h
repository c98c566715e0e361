#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace plimsoll::api {

enum class WireType : std::uint8_t { Varint, Fixed64, Bytes, StartGroup, EndGroup, Fixed32 };

/// One field of a protobuf message, as it stands in the bytes.
struct WireField {
  std::uint32_t tag = 0;
  WireType type = WireType::Bytes;
  std::uint64_t varint = 0;  // of a Varint
  std::string_view bytes;    // of Bytes; views the message
};

/// Reads a protobuf message field by field. The message must outlive what is read.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  bool at_end() const { return rest_.empty(); }
  /// The next field; a group is one field, with its contents. BadRequest in the words of upstream's
  /// decoders: `unexpected EOF`, `proto: integer overflow`, …
  Result<WireField> Next();
  Result<std::uint64_t> Varint();

 private:
  Result<WireField> ReadField();
  Result<std::string_view> Take(std::uint64_t size);
  Status SkipGroup();

  std::string_view rest_;
};

}  // namespace plimsoll::api
