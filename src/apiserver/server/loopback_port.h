#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "net/http.h"

namespace plimsoll::apiserver {

/// Handler of the insecure loopback port, where every client is the administrator. It rejects
/// requests that a browser may send on behalf of a foreign web page. Otherwise such a page could
/// act as the administrator.
class LoopbackPort final : public net::Handler {
 public:
  explicit LoopbackPort(net::Handler& inner) : inner_(inner) {}

  /// Sets the port that the Host header of clients must name. Call it before the first request.
  void SetPort(std::uint16_t port) { port_ = port; }

  void Serve(net::Request request, std::shared_ptr<net::Exchange> exchange) override;

 private:
  net::Handler& inner_;
  std::uint16_t port_ = 0;
};

}  // namespace plimsoll::apiserver
