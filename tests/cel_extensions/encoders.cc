#include <array>

#include "base/text/base64.h"
#include "cel/program.h"
#include "cel_extensions/extensions.h"

namespace plimsoll::cel {
namespace {

Value Encode(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(EncodeBase64(arguments[0].text()));
}

/// Decodes a text with or without padding.
Value Decode(Evaluation& evaluation, const Value* arguments) {
  const std::string_view text = arguments[0].text();
  Result<std::string> bytes = DecodeBase64(text);
  if (!bytes) bytes = DecodeBase64(text, Base64::StandardUnpadded);
  if (!bytes) return evaluation.FailCopied(bytes.error().message);
  return Value::Bytes(evaluation.arena().Copy(*bytes));
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

const Library kEncodersLibrary{.name = "encoders", .functions = kFunctions};

}  // namespace plimsoll::cel
