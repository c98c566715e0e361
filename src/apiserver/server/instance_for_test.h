#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "apiserver/server/instance.h"
#include "base/assert.h"
#include "base/real_clock.h"
#include "net/client.h"

namespace plimsoll::apiserver {

/// API server with its objects in memory. Requests are calls of its handler.
class LocalServer {
 public:
  explicit LocalServer(InstanceOptions options = {}) {
    std::string pattern = std::filesystem::temp_directory_path() / "plimsoll_server_XXXXXX";
    PL_ASSERT(mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
    options.data_directory = directory_;
    options.is_stored_in_memory = true;
    options.port = 0;
    auto started = Instance::Start(options, clock_, log_, metrics_);
    PL_ASSERT(started.has_value());
    instance_ = *std::move(started);
    admin_ = Connect({"admin", {"system:masters"}});
  }
  ~LocalServer() {
    admin_.reset();
    instance_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  Instance& instance() { return *instance_; }
  std::unique_ptr<net::Transport> Connect(net::LocalIdentity who) {
    return net::ConnectLocally(instance_->handler(), std::move(who));
  }

  /// Sends the request as an administrator and returns the response. The body is text, and the
  /// server's own threads do the work, as for a client behind a socket.
  net::ClientResponse Send(std::string method, std::string target, std::string body = {},
                           net::Headers headers = {}) {
    return SendAs(*admin_, std::move(method), std::move(target), std::move(body),
                  std::move(headers));
  }
  static net::ClientResponse SendAs(net::Transport& who, std::string method, std::string target,
                                    std::string body = {}, net::Headers headers = {}) {
    net::Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    request.body = std::move(body);
    request.headers = std::move(headers);
    request.remote_address = "127.0.0.1:1";
    auto response = who.Fetch(std::move(request), Duration::zero(), nullptr);
    PL_ASSERT(response.has_value());
    return *std::move(response);
  }

 private:
  RealClock clock_;
  MemorySink sink_;
  Logger log_{clock_, sink_};
  MetricsRegistry metrics_;
  std::string directory_;
  std::unique_ptr<Instance> instance_;
  std::unique_ptr<net::Transport> admin_;
};

}  // namespace plimsoll::apiserver
