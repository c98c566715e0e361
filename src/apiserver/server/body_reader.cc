#include "apiserver/server/body_reader.h"

#include <fmt/format.h>

#include <utility>

#include "apiserver/limits.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/write/body.h"

namespace plimsoll::apiserver {
namespace {

constexpr int kRetrySeconds = 1;

net::Response BodyTooLarge(const ApiRequest& request) {
  return RespondStatus(request, api::EntityTooLarge(fmt::format("limit is {}", kBodyBytesMax)));
}

net::Response BodyBudgetExhausted(const ApiRequest& request) {
  net::Response response = RespondStatus(
      request,
      api::TooManyRequests("too many bytes of request bodies are in flight, please try again later",
                           kRetrySeconds));
  if (!response.headers.Has("Retry-After")) {
    response.headers.Add("Retry-After", std::to_string(kRetrySeconds));
  }
  return response;
}

}  // namespace

void BodyReader::Read(const std::shared_ptr<ApiRequest>& request,
                      const std::shared_ptr<net::Exchange>& exchange, Task next) {
  if (!request->http.unread_body) return next();
  // A chunked body has no declared size: reserve the maximum.
  const std::uint64_t size = request->http.unread_body->size.value_or(kBodyBytesMax);
  if (size > kBodyBytesMax) return exchange->Respond(BodyTooLarge(*request));
  std::optional<BudgetShare> share = budget_.Reserve(request->user.name, size);
  if (!share) return exchange->Respond(BodyBudgetExhausted(*request));
  exchange->ReadBody(kBodyBytesMax, [request, exchange, share = *std::move(share),
                                     next = std::move(next)](net::ReceivedBody body) mutable {
    if (body.is_too_large) return exchange->Respond(BodyTooLarge(*request));
    share.Shrink(body.text.size());
    request->budget_share = std::move(share);
    request->http.body = std::move(body.text);
    request->http.unread_body.reset();
    next();
  });
}

}  // namespace plimsoll::apiserver
