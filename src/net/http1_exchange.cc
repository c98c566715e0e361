#include "net/http1_exchange.h"

#include <utility>

#include "base/assert.h"
#include "net/http1_connection.h"

namespace plimsoll::net {

Http1Exchange::~Http1Exchange() {
  if (is_used_) return;
  Response response{.status = 500, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}};
  response.body = MakeBytes("500 Internal Server Error");
  Respond(std::move(response));
}

void Http1Exchange::Respond(Response response) {
  PL_ASSERT(!is_used_.exchange(true));
  if (loop_->IsCurrent()) {
    if (const auto connection = connection_.lock()) connection->OnResponse(std::move(response));
    return;
  }
  // Lock the weak pointer on the loop's thread only: the last reference must be dropped there.
  loop_->Post([weak = connection_, response = std::move(response)]() mutable {
    if (const auto connection = weak.lock()) connection->OnResponse(std::move(response));
  });
}

void Http1Exchange::ReadBody(std::size_t size_max, BodyReceiver receiver) {
  if (loop_->IsCurrent()) {
    if (const auto connection = connection_.lock()) {
      connection->OnReadBody(size_max, std::move(receiver));
    }
    return;
  }
  loop_->Post([weak = connection_, size_max, receiver = std::move(receiver)]() mutable {
    if (const auto connection = weak.lock()) {
      connection->OnReadBody(size_max, std::move(receiver));
    }
  });
}

void Http1Exchange::MarkAuthenticated() {
  if (loop_->IsCurrent()) {
    if (const auto connection = connection_.lock()) connection->OnAuthenticated();
    return;
  }
  loop_->Post([weak = connection_] {
    if (const auto connection = weak.lock()) connection->OnAuthenticated();
  });
}

std::shared_ptr<Stream> Http1Exchange::Begin(int status, Headers headers) {
  PL_ASSERT(!is_used_.exchange(true));
  auto queue =
      std::make_shared<StreamQueue>(stream_pending_bytes_max_, [loop = loop_, weak = connection_] {
        loop->Post([weak] {
          if (const auto connection = weak.lock()) connection->OnStreamReady();
        });
      });
  auto begin = [weak = connection_, queue, status, headers = std::move(headers)] {
    if (const auto connection = weak.lock()) {
      connection->OnStream(queue, status, headers);
    } else {
      queue->Close();
    }
  };
  if (loop_->IsCurrent()) {
    begin();
  } else if (!loop_->Post(std::move(begin))) {
    queue->Close();
  }
  return queue->MakeHandle();
}

}  // namespace plimsoll::net
