// The in-process carrier: calls the handler on the caller's thread, and waits for the answer, which
// may come from another thread.

#include <condition_variable>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/async.h"
#include "net/canceller.h"
#include "net/client.h"
#include "net/limits.h"
#include "net/stream_queue.h"

namespace plimsoll::net {
namespace {

/// Answer to one request, passed between two threads.
struct Call {
  std::mutex mutex;
  std::condition_variable changed;
  // All below is guarded by the mutex.
  std::optional<Response> response;
  std::shared_ptr<StreamQueue> stream;  // or a stream, with …
  int status = 0;
  Headers headers;
  bool has_pieces = false;
  bool is_cancelled = false;
  bool is_abandoned = false;

  void Notify(bool& flag) {
    const std::scoped_lock lock(mutex);
    flag = true;
    changed.notify_all();
  }
};

class LocalExchange final : public Exchange {
 public:
  explicit LocalExchange(std::shared_ptr<Call> call) : call_(std::move(call)) {}
  ~LocalExchange() override {
    if (is_used_) return;
    Response response{.status = 500, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}};
    response.body = MakeBytes("500 Internal Server Error");
    Respond(std::move(response));
  }
  LocalExchange(const LocalExchange&) = delete;
  LocalExchange& operator=(const LocalExchange&) = delete;

  void Respond(Response response) override {
    PL_ASSERT(!is_used_.exchange(true));
    const std::scoped_lock lock(call_->mutex);
    call_->response = std::move(response);
    call_->changed.notify_all();
  }

  std::shared_ptr<Stream> Begin(int status, Headers headers) override {
    PL_ASSERT(!is_used_.exchange(true));
    // Weak, because the call owns the queue.
    auto queue =
        std::make_shared<StreamQueue>(kStreamPendingBytesMax, [weak = std::weak_ptr(call_)] {
          if (const auto call = weak.lock()) call->Notify(call->has_pieces);
        });
    bool is_abandoned = false;
    {
      const std::scoped_lock lock(call_->mutex);
      is_abandoned = call_->is_abandoned;
      if (!is_abandoned) call_->stream = queue;
      call_->status = status;
      call_->headers = std::move(headers);
      call_->changed.notify_all();
    }
    if (is_abandoned) queue->Close();
    return queue->MakeHandle();
  }

 private:
  const std::shared_ptr<Call> call_;
  std::atomic<bool> is_used_ = false;
};

std::unexpected<Error> Cancelled() { return Fail(Reason::Timeout, "the request was cancelled"); }

/// Collects a streamed response for Fetch.
class Gatherer final : public StreamReceiver {
 public:
  bool OnHead(int status, const Headers& headers) override {
    response.status = status;
    response.headers = headers;
    return true;
  }
  bool OnPiece(Piece piece) override {
    if (piece.text != nullptr) response.body += *piece.text;
    return true;
  }
  ClientResponse response;
};

class LocalTransport final : public Transport {
 public:
  LocalTransport(Handler& handler, LocalIdentity identity)
      : handler_(handler), identity_(std::move(identity)) {}

  std::shared_ptr<Canceller> NewCanceller() override { return std::make_shared<Canceller>(); }
  // The handler works, and suspends its fiber, before it returns.
  bool SuspendsFibers() const override { return true; }

  Result<ClientResponse> Fetch(Request request, Duration timeout,
                               const std::shared_ptr<Canceller>& canceller) override {
    const auto call = std::make_shared<Call>();
    const CancelListener listener(canceller, [&] { call->Notify(call->is_cancelled); });
    PL_TRY(Send(std::move(request), call, timeout));
    if (!call->response.has_value()) {
      Gatherer gatherer;
      PL_TRY(ReceiveStream(*call, gatherer));
      return std::move(gatherer.response);
    }
    Response& response = *call->response;
    ClientResponse result{.status = response.status,
                          .headers = std::move(response.headers),
                          .body = response.body != nullptr ? *response.body : std::string(),
                          .payload = std::move(response.payload)};
    while (response.source != nullptr && response.source->Read(result.body)) {
    }
    return result;
  }

  Status Receive(Request request, StreamReceiver& receiver,
                 const std::shared_ptr<Canceller>& canceller) override {
    const auto call = std::make_shared<Call>();
    const CancelListener listener(canceller, [&] { call->Notify(call->is_cancelled); });
    PL_TRY(Send(std::move(request), call, Duration::zero()));
    if (!call->response.has_value()) return ReceiveStream(*call, receiver);
    Response& response = *call->response;
    if (!receiver.OnHead(response.status, response.headers)) return {};
    bool has_more = response.source != nullptr;
    if (!has_more) receiver.OnPiece({response.body, response.payload});
    while (has_more) {
      std::string part;
      has_more = response.source->Read(part);
      if (!receiver.OnPiece({MakeBytes(std::move(part))})) return {};
    }
    return {};
  }

 private:
  /// Returns when there is a response or a stream; only the caller accesses it from then on.
  Status Send(Request request, const std::shared_ptr<Call>& call, Duration timeout) {
    request.local = identity_;
    handler_.Serve(std::move(request), std::make_shared<LocalExchange>(call));
    std::unique_lock lock(call->mutex);
    if (!call->response.has_value()) {
      // This blocks the thread, so send delayed wake-ups first: another thread may wait for them.
      lock.unlock();
      WakeBatch::Flush();
      lock.lock();
    }
    const auto is_over = [&] {
      return call->response.has_value() || call->stream != nullptr || call->is_cancelled;
    };
    if (timeout == Duration::zero()) {
      call->changed.wait(lock, is_over);
    } else {
      call->changed.wait_for(lock, timeout, is_over);
    }
    if (call->response.has_value() || call->stream != nullptr) return {};
    call->is_abandoned = true;
    if (call->is_cancelled) return Cancelled();
    return Fail(Reason::Timeout, "no response within " + FormatDuration(timeout));
  }

  static Status ReceiveStream(Call& call, StreamReceiver& receiver) {
    // On every return, tell the writers that nobody reads any more.
    const std::unique_ptr<StreamQueue, void (*)(StreamQueue*)> closer(
        call.stream.get(), [](StreamQueue* stream) { stream->Close(); });
    if (!receiver.OnHead(call.status, call.headers)) return {};
    std::vector<Piece> pieces;
    while (true) {
      {
        std::unique_lock lock(call.mutex);
        call.changed.wait(lock, [&] { return call.has_pieces || call.is_cancelled; });
        if (call.is_cancelled) return Cancelled();
        call.has_pieces = false;
      }
      pieces.clear();
      const StreamQueue::Outcome outcome = call.stream->PopAll(pieces);
      if (outcome == StreamQueue::Outcome::Cut) {
        return Fail(Reason::ServiceUnavailable, "the stream was closed: its reader is too slow");
      }
      for (Piece& piece : pieces) {
        const std::size_t size = StreamQueue::SizeOf(piece);
        if (!receiver.OnPiece(std::move(piece))) return {};
        call.stream->Sent(size);
      }
      if (outcome == StreamQueue::Outcome::Ended) return {};
    }
  }

  Handler& handler_;
  const LocalIdentity identity_;
};

}  // namespace

std::unique_ptr<Transport> ConnectLocally(Handler& handler, LocalIdentity identity) {
  return std::make_unique<LocalTransport>(handler, std::move(identity));
}

}  // namespace plimsoll::net
