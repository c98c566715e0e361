#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "net/http.h"
#include "net/loop.h"

namespace plimsoll::net {

class Http1Connection;

/// Exchange of an HTTP/1.1 request; usable from any thread. It may outlive the connection and the
/// server, and then does nothing.
class Http1Exchange final : public Exchange {
 public:
  Http1Exchange(std::shared_ptr<Loop> loop, std::weak_ptr<Http1Connection> connection,
                std::size_t stream_pending_bytes_max)
      : loop_(std::move(loop)),
        connection_(std::move(connection)),
        stream_pending_bytes_max_(stream_pending_bytes_max) {}
  ~Http1Exchange() override;
  Http1Exchange(const Http1Exchange&) = delete;
  Http1Exchange& operator=(const Http1Exchange&) = delete;

  void Respond(Response response) override;
  std::shared_ptr<Stream> Begin(int status, Headers headers) override;
  void ReadBody(std::size_t size_max, BodyReceiver receiver) override;
  void MarkAuthenticated() override;

 private:
  const std::shared_ptr<Loop> loop_;
  const std::weak_ptr<Http1Connection> connection_;
  const std::size_t stream_pending_bytes_max_;
  std::atomic<bool> is_used_ = false;
};

}  // namespace plimsoll::net
