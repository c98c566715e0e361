#include "apiserver/read/continue_token.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/go_text.h"
#include "base/text/base64.h"
#include "codec/json.h"
#include "codec/value_at.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kVersion = "meta.k8s.io/v1";
constexpr std::int64_t kInconsistent = -1;

std::unexpected<api::StatusObject> Refuse(std::string_view why) {
  return std::unexpected(api::BadRequest(fmt::format("invalid continue token: {}", why)));
}

/// Returns false if the path has empty, `.` or `..` segments, which Encode never writes.
bool IsClean(std::string_view path) {
  while (true) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == path.size()) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string ContinueToken::Encode() const {
  const std::int64_t number =
      revision == store::kNoRevision ? kInconsistent : store::Number(revision);
  // The key that follows directly: keys contain no NUL.
  const std::string start = after + '\0';
  return EncodeBase64(
      fmt::format(R"({{"v":"{}","rv":{},"start":{}}})", kVersion, number, GoJsonQuote(start)),
      Base64::Url);
}

api::Answer<ContinueToken> ContinueToken::Decode(std::string_view text) {
  const auto json = DecodeBase64(text, Base64::Url);
  const auto document = json ? codec::ParseJson(*json) : std::unexpected(json.error());
  if (!document || !(*document)->root().is_object()) {
    return Refuse("continue key is not valid: not a token of this server");
  }
  const codec::Value& root = (*document)->root();
  const auto text_of = [&](std::string_view key) { return TextAt(root, key); };
  if (text_of("v") != kVersion) {
    return Refuse(
        fmt::format("continue key is not valid: server does not recognize this encoded "
                    "version {}",
                    GoQuote(text_of("v"))));
  }
  const codec::Value* revision = root.Find("rv");
  const std::int64_t number = revision != nullptr && revision->is_int() ? revision->AsInt() : 0;
  if (number == 0 || number < kInconsistent) {
    return Refuse(
        fmt::format("continue key is not valid: incorrect encoded start resourceVersion "
                    "(version {})",
                    kVersion));
  }
  std::string_view start = text_of("start");
  if (start.empty()) {
    return Refuse(
        fmt::format("continue key is not valid: encoded start key empty (version {})", kVersion));
  }
  if (start.ends_with('\0')) start.remove_suffix(1);
  if (!IsClean(start.starts_with('/') ? start.substr(1) : start)) {
    return Refuse(fmt::format("continue key is not valid: {}", start));
  }
  ContinueToken token;
  token.revision = number == kInconsistent ? store::kNoRevision : store::Revision{number};
  token.after = start;
  return token;
}

}  // namespace plimsoll::apiserver
