#include "apiserver/authn/remote_review.h"

#include <fmt/format.h>

#include <utility>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kTimeout = std::chrono::seconds(30);
constexpr codec::ParseLimits kLimits{
    .bytes_max = 256u << 10, .depth_max = 32, .values_max = 64u << 10};

}  // namespace

Result<std::unique_ptr<codec::Document>> PostReview(const RemoteServer& server,
                                                    const std::string& review, Instant now) {
  net::Request request;
  request.method = "POST";
  request.target = server.target;
  request.headers = server.headers;
  request.headers.Add("Accept", "application/json");
  request.headers.Add("Content-Type", "application/json");
  if (server.token != nullptr) {
    if (const std::string token = server.token(now); !token.empty()) {
      request.headers.Add("Authorization", "Bearer " + token);
    }
  }
  request.body = review;
  Result<net::ClientResponse> response = server.transport->Fetch(request, kTimeout, nullptr);
  const bool is_unreached = !response && response.error().reason == Reason::ServiceUnavailable;
  // A review has no side effects, so it may be sent twice.
  if (is_unreached) response = server.transport->Fetch(std::move(request), kTimeout, nullptr);
  if (!response) return std::unexpected(response.error());
  if (response->status < 200 || response->status > 299) {
    return Fail(Reason::InternalError,
                fmt::format("the webhook answered with status {}", response->status));
  }
  auto document = codec::ParseJson(std::move(response->body), kLimits);
  if (!document) {
    return Fail(Reason::InternalError,
                "the webhook's answer is not JSON: " + document.error().message);
  }
  if (!(*document)->root().is_object()) {
    return Fail(Reason::InternalError, "the webhook's answer is not an object");
  }
  return document;
}

}  // namespace plimsoll::apiserver
