#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/authn/authentication_options.h"
#include "net/client.h"

namespace plimsoll::apiserver {

/// Transport that answers requests with a function and records them.
class FakeRemote final : public net::Transport {
 public:
  using Answer = std::function<Result<net::ClientResponse>(const net::Request&)>;
  explicit FakeRemote(Answer answer) : answer_(std::move(answer)) {}

  std::shared_ptr<net::Canceller> NewCanceller() override { return nullptr; }
  Result<net::ClientResponse> Fetch(net::Request request, Duration,
                                    const std::shared_ptr<net::Canceller>&) override {
    asked.push_back(request);
    return answer_(request);
  }
  Status Receive(net::Request, net::StreamReceiver&,
                 const std::shared_ptr<net::Canceller>&) override {
    return Fail(Reason::InternalError, "not used");
  }

  std::vector<net::Request> asked;

 private:
  Answer answer_;
};

inline net::ClientResponse JsonAnswer(std::string body, int status = 200) {
  net::ClientResponse response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

}  // namespace plimsoll::apiserver
