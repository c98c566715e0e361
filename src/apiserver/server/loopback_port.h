#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "net/http.h"

namespace plimsoll::apiserver {

/// Handler of the insecure loopback port: every client is the administrator. A web page must not
/// become one through the user's browser, so requests that a browser can send for a foreign page
/// are refused.
class LoopbackPort final : public net::Handler {
 public:
  explicit LoopbackPort(net::Handler& inner) : inner_(inner) {}

  /// Sets the port that clients must name in their Host header. Called before requests come.
  void SetPort(std::uint16_t port) { port_ = port; }

  void Serve(net::Request request, std::shared_ptr<net::Exchange> exchange) override;

 private:
  net::Handler& inner_;
  std::uint16_t port_ = 0;
};

struct LoopbackRefusal {
  int status = 403;
  std::string message;
};

/// Returns the reason to refuse a request to the loopback port:
///  - its Host is not localhost, 127.0.0.1 or [::1] with this port (DNS rebinding),
///  - it has an Origin, or Sec-Fetch-Site names another site (cross-site requests),
///  - it writes a body without a Content-Type (HTML forms).
std::optional<LoopbackRefusal> CheckLoopbackRequest(const net::Request& request,
                                                    std::uint16_t port);

}  // namespace plimsoll::apiserver
