#include "api/status/read_status.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "base/go_text.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::api {
namespace {

using codec::Value;

std::int32_t Int32At(const Value& tree, std::string_view key) {
  const Value* value = tree.Find(key);
  return value != nullptr && value->is_int() ? static_cast<std::int32_t>(value->AsInt()) : 0;
}

StatusDetails ReadDetails(const Value& tree) {
  StatusDetails out{.name = std::string(TextAt(tree, "name")),
                    .group = std::string(TextAt(tree, "group")),
                    .kind = std::string(TextAt(tree, "kind")),
                    .uid = std::string(TextAt(tree, "uid")),
                    .causes = {},
                    .retry_after_seconds = Int32At(tree, "retryAfterSeconds")};
  const Value* causes = tree.Find("causes");
  if (causes == nullptr) return out;
  for (const Value& cause : causes->items()) {
    out.causes.push_back({.reason = std::string(TextAt(cause, "reason")),
                          .message = std::string(TextAt(cause, "message")),
                          .field = std::string(TextAt(cause, "field"))});
  }
  return out;
}

struct CodeWords {
  int code;
  std::string_view reason;
  std::string_view message;
};

// Upstream client's messages for a response without a Status.
constexpr std::array kWords = std::to_array<CodeWords>({
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "the server has asked for the client to provide credentials"},
    {403, "Forbidden", "the server does not allow access to the requested resource"},
    {404, "NotFound", "the server could not find the requested resource"},
    {405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    {406, "NotAcceptable",
     "the server was unable to respond with a content type that the client supports"},
    {409, "Conflict", "the server reported a conflict"},
    {410, "Expired", "the resource that was requested has been removed"},
    {413, "RequestEntityTooLarge", "the server refused to accept a request of that size"},
    {415, "UnsupportedMediaType",
     "the server was not able to process the content type of the request"},
    {422, "Invalid", "the server rejected our request due to an error in our request"},
    {429, "TooManyRequests",
     "the server has received too many requests and has asked us to try again later"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout",
     "the server was unable to return a response in the time allotted, but may still be "
     "processing the request"},
});

StatusObject FromCode(int code, std::string_view body) {
  StatusObject out{.code = code, .reason = {}, .message = {}, .details = std::nullopt};
  const auto known = std::ranges::find(kWords, code, &CodeWords::code);
  if (known != kWords.end()) {
    out.reason = known->reason;
    out.message = known->message;
    return out;
  }
  out.reason = code >= 500 ? "InternalError" : "Unknown";
  if (code >= 500) {
    out.message = "an error on the server (" + GoQuote(body.substr(0, kErrorBodyBytesMax)) +
                  ") has prevented the request from succeeding";
  } else {
    out.message = "the server responded with the status code " + std::to_string(code) +
                  " but did not return more information";
  }
  return out;
}

}  // namespace

std::optional<StatusObject> ReadStatus(const Value& tree) {
  if (TextAt(tree, "kind") != "Status" || TextAt(tree, "apiVersion") != "v1") return std::nullopt;
  StatusObject out{.code = Int32At(tree, "code"),
                   .reason = std::string(TextAt(tree, "reason")),
                   .message = std::string(TextAt(tree, "message")),
                   .details = std::nullopt,
                   .is_success = TextAt(tree, "status") == "Success"};
  const Value* details = tree.Find("details");
  if (details != nullptr && details->is_object()) out.details = ReadDetails(*details);
  return out;
}

StatusObject ReadRefusal(int code, std::string_view body) {
  std::optional<StatusObject> status;
  if (const auto document = codec::ParseJson(std::string(body), {.bytes_max = body.size()})) {
    status = ReadStatus((*document)->root());
  }
  StatusObject out = status && !status->is_success ? *std::move(status) : FromCode(code, body);
  if (out.code == 0) out.code = code;
  return out;
}

}  // namespace plimsoll::api
