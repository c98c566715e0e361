#include "api/protobuf/wire.h"

#include <fmt/format.h>

namespace plimsoll::api {
namespace {

constexpr std::uint64_t kLengthMax = INT64_MAX;

std::unexpected<Error> Malformed(std::string what) {
  return Fail(Reason::BadRequest, std::move(what));
}

}  // namespace

Result<std::uint64_t> WireReader::Varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) return Malformed("unexpected EOF");
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return Malformed("proto: integer overflow");
}

Result<std::string_view> WireReader::ReadBytes(std::uint64_t size) {
  if (size > kLengthMax) return Malformed("proto: negative length found during unmarshaling");
  if (size > rest_.size()) return Malformed("unexpected EOF");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

Result<WireField> WireReader::ReadField() {
  const std::uint64_t key = PL_TRY(Varint());
  WireField field{.tag = static_cast<std::uint32_t>(key >> 3)};
  const auto type = static_cast<unsigned>(key & 7);
  // Go keeps the tag in a signed 32-bit integer.
  if (static_cast<std::int32_t>(field.tag) <= 0) {
    return Malformed(fmt::format("proto: illegal tag {} (wire type {})",
                                 static_cast<std::int32_t>(field.tag), type));
  }
  field.type = static_cast<WireType>(type);
  switch (field.type) {
    case WireType::Varint:
      field.varint = PL_TRY(Varint());
      return field;
    case WireType::Fixed64:
      PL_TRY(ReadBytes(8));
      return field;
    case WireType::Bytes: {
      const std::uint64_t size = PL_TRY(Varint());
      field.bytes = PL_TRY(ReadBytes(size));
      return field;
    }
    case WireType::StartGroup:
    case WireType::EndGroup:
      return field;
    case WireType::Fixed32:
      PL_TRY(ReadBytes(4));
      return field;
  }
  return Malformed(fmt::format("proto: illegal wireType {}", type));
}

Status WireReader::SkipGroup() {
  for (std::size_t depth = 1; depth > 0;) {
    const WireField field = PL_TRY(ReadField());
    if (field.type == WireType::StartGroup) ++depth;
    if (field.type == WireType::EndGroup) --depth;
  }
  return {};
}

Result<WireField> WireReader::Next() {
  const WireField field = PL_TRY(ReadField());
  if (field.type == WireType::EndGroup) {
    return Malformed("proto: wiretype end group for non-group");
  }
  if (field.type == WireType::StartGroup) PL_TRY(SkipGroup());
  return field;
}

}  // namespace plimsoll::api
