#include "apiserver/server/loopback_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text/ascii.h"

namespace plimsoll::apiserver {
namespace {

const net::LocalIdentity kLoopbackAdmin{"system:unsecured", {"system:masters"}};

bool IsOwnHost(std::string_view host, std::uint16_t port) {
  constexpr std::array<std::string_view, 3> kNames{"localhost", "127.0.0.1", "[::1]"};
  std::string lower(host);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return std::ranges::any_of(kNames, [&](std::string_view name) {
    return lower == fmt::format("{}:{}", name, port) || (port == 80 && lower == name);
  });
}

bool IsWrite(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

struct Refusal {
  int status = 403;
  std::string message;
};

/// Returns why a request to the loopback port must be rejected, or nullopt:
///  - its Host is not localhost, 127.0.0.1 or [::1] with this port (DNS rebinding),
///  - it has an Origin, or Sec-Fetch-Site names another site (cross-site requests),
///  - it writes a body without a Content-Type (HTML forms).
std::optional<Refusal> Check(const net::Request& request, std::uint16_t port) {
  const net::Headers& headers = request.headers;
  if (!IsOwnHost(headers.Find("Host"), port)) {
    return Refusal{403, fmt::format("the Host header must be localhost:{0}, 127.0.0.1:{0} "
                                    "or [::1]:{0} on the insecure port",
                                    port)};
  }
  if (headers.Has("Origin")) {
    return Refusal{403, "the insecure port rejects requests of web pages (header Origin)"};
  }
  for (const std::string_view site : headers.FindAll("Sec-Fetch-Site")) {
    if (site != "none" && site != "same-origin") {
      return Refusal{403,
                     "the insecure port rejects requests of other sites (header Sec-Fetch-Site)"};
    }
  }
  const bool has_body = request.unread_body.has_value() || !request.body.empty();
  if ((IsWrite(request.method) || has_body) && headers.Find("Content-Type").empty()) {
    return Refusal{415, "the insecure port requires a Content-Type header on writes"};
  }
  return std::nullopt;
}

}  // namespace

void LoopbackPort::Serve(net::Request request, std::shared_ptr<net::Exchange> exchange) {
  if (const auto refusal = Check(request, port_)) {
    net::Response response;
    response.status = refusal->status;
    response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                        {"X-Content-Type-Options", "nosniff"}};
    response.body = MakeBytes(refusal->message + "\n");
    exchange->Respond(std::move(response));
    return;
  }
  request.local = kLoopbackAdmin;
  inner_.Serve(std::move(request), std::move(exchange));
}

}  // namespace plimsoll::apiserver
