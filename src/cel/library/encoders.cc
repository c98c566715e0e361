#include "cel/library/encoders.h"

#include <array>
#include <string>

#include "cel/library/libraries.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Value Encode(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(EncodeBase64(arguments[0].text()));
}

/// Padding may be missing, but must not be wrong.
Value Decode(Evaluation& evaluation, const Value* arguments) {
  std::string_view text = arguments[0].text();
  const auto refuse = [&](std::size_t at) {
    return evaluation.FailCopied("illegal base64 data at input byte " + std::to_string(at));
  };
  if (text.size() % 4 == 0) {
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return refuse(text.size() - 1);
  std::string out;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = kDigits.find(text[i]);
    if (digit == std::string_view::npos) return refuse(i);
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    // The second, third and fourth of four digits each complete a byte.
    const std::size_t place = i % 4;
    if (place != 0) out += static_cast<char>(bits >> (6 - 2 * place) & 0xff);
  }
  return Value::Bytes(evaluation.arena().Copy(out));
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "base64_decode_string",
     .name = "base64.decode",
     .signature = "string -> bytes",
     .implementation = Decode},
    {.id = "base64_encode_bytes",
     .name = "base64.encode",
     .signature = "bytes -> string",
     .implementation = Encode},
});

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= group.size() ? kDigits[(bits >> (18 - 6 * j)) & 0x3f] : '=';
    }
  }
  return out;
}

const Library kEncodersLibrary{.name = "encoders", .functions = kFunctions};

}  // namespace plimsoll::cel
