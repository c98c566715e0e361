#include "net/client.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/async.h"
#include "base/real_clock.h"
#include "net/canceller.h"
#include "net/client_connection.h"
#include "net/limits.h"
#include "net/socket_address.h"
#include "net/tls.h"

namespace plimsoll::net {
namespace {

// A body up to this size is sent in one piece with its head, so that the server wakes up once
// for both.
constexpr std::size_t kCopiedSizeMax = 16u << 10;

bool IsIdempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE" ||
         method == "OPTIONS";
}

class SocketTransport final : public Transport {
 public:
  SocketTransport(Endpoint endpoint, SharedSslContext context, std::string server_name,
                  const TransportOptions& options, TlsUpdates updates)
      : endpoint_(std::move(endpoint)),
        server_name_(std::move(server_name)),
        options_(options),
        updates_(std::move(updates)),
        context_(std::move(context)) {}

  std::shared_ptr<Canceller> NewCanceller() override { return std::make_shared<Canceller>(); }
  bool SuspendsFibers() const override { return true; }
  bool IsRemote() const override { return true; }

  Result<ClientResponse> Fetch(Request request, Duration timeout,
                               const std::shared_ptr<Canceller>& canceller) override {
    ClientResponse response;
    Call call(*this, timeout, canceller);
    ResponseHead head = PL_TRY(call.Begin(request));
    bool is_too_large = false;
    PL_TRY(call.ReadBody(head, request, [&](std::string& part) {
      is_too_large = part.size() > options_.body_bytes_max - response.body.size();
      if (is_too_large) return false;
      if (response.body.empty()) {
        response.body.swap(part);
      } else {
        response.body += part;
      }
      return true;
    }));
    if (is_too_large) {
      return Fail(Reason::RequestEntityTooLarge,
                  endpoint_.server + ": the response has more than " +
                      std::to_string(options_.body_bytes_max) + " bytes");
    }
    response.status = head.status;
    response.headers = std::move(head.headers);
    return response;
  }

  Status Receive(Request request, StreamReceiver& receiver,
                 const std::shared_ptr<Canceller>& canceller) override {
    Call call(*this, Duration::zero(), canceller);
    const ResponseHead head = PL_TRY(call.Begin(request));
    if (!receiver.OnHead(head.status, head.headers)) return {};
    return call.ReadBody(head, request, [&](std::string& part) {
      const WakeBatch held;  // receivers of several watch events are woken once
      return receiver.OnPiece({MakeBytes(std::move(part))});
    });
  }

 private:
  /// One request from start to end, with the waiter and connection that it borrows.
  class Call {
   public:
    Call(SocketTransport& transport, Duration timeout, const std::shared_ptr<Canceller>& canceller)
        : transport_(transport),
          waiter_(transport.AcquireWaiter(timeout)),
          listener_(std::in_place, canceller, [this] { waiter_->Cancel(); }) {}
    ~Call() {
      listener_.reset();  // it rings the waiter, which another call may soon use
      transport_.PutWaiter(std::move(waiter_));
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    Result<ResponseHead> Begin(const Request& request) {
      if (listener_->is_cancelled()) {
        return Fail(Reason::Timeout, transport_.endpoint_.server + ": the request was cancelled");
      }
      std::string head = PL_TRY(transport_.MakeHead(request));
      std::string_view body = request.body;
      if (body.size() <= kCopiedSizeMax) head += std::exchange(body, {});
      context_ = transport_.CurrentContext();
      connection_ = transport_.PopIdle();
      if (connection_ != nullptr) {
        auto response = Try(head, body);
        // A server may close an idle connection at the moment when we reuse it. Retry if the server
        // has not answered and the method may be repeated.
        const bool is_worth_another = !response.has_value() &&
                                      response.error().reason == Reason::ServiceUnavailable &&
                                      connection_->is_unanswered() && IsIdempotent(request.method);
        if (!is_worth_another) return response;
      }
      connection_ =
          PL_TRY(ClientConnection::Open(transport_.endpoint_, context_, transport_.server_name_,
                                        transport_.options_.connect_max, *waiter_));
      return Try(head, body);
    }

    Status ReadBody(const ResponseHead& head, const Request& request,
                    const std::function<bool(std::string&)>& take) {
      const bool is_whole =
          PL_TRY(connection_->ReadBody(head, request.method == "HEAD", *waiter_, take));
      if (is_whole && connection_->is_reusable()) {
        transport_.PutIdle(std::move(connection_), context_);
      }
      return {};
    }

   private:
    Result<ResponseHead> Try(std::string_view head, std::string_view body) {
      const Status sent = connection_->Send(head, body, *waiter_);
      if (!sent.has_value() && sent.error().reason == Reason::Timeout) {
        return std::unexpected(sent.error());
      }
      // A server that rejects a large body may answer before it has read it, and then close.
      return connection_->ReadHead(*waiter_);
    }

    SocketTransport& transport_;
    std::unique_ptr<Waiter> waiter_;
    SharedSslContext context_;  // context of the connection
    std::unique_ptr<ClientConnection> connection_;
    std::optional<CancelListener> listener_;
  };

  Result<std::string> MakeHead(const Request& request) const {
    std::string head = request.method + " " + endpoint_.path + request.target + " HTTP/1.1\r\n";
    std::size_t lines = 1;
    const auto add = [&](std::string_view name, std::string_view value) {
      head.append(name).append(": ").append(value).append("\r\n");
      ++lines;
    };
    if (!request.headers.Has("Host")) add("Host", JoinHostPort(endpoint_.host, endpoint_.port));
    for (const auto& [name, value] : request.headers) add(name, value);
    const bool has_body = !request.body.empty() || request.method == "POST" ||
                          request.method == "PUT" || request.method == "PATCH";
    if (has_body) add("Content-Length", std::to_string(request.body.size()));
    // A line end within a value would let its author add headers.
    if (std::cmp_not_equal(std::ranges::count(head, '\n'), lines) ||
        std::cmp_not_equal(std::ranges::count(head, '\r'), lines)) {
      return Fail(Reason::BadRequest, "the request's target or a header contains a line break");
    }
    return head + "\r\n";
  }

  std::unique_ptr<ClientConnection> PopIdle() {
    std::vector<std::unique_ptr<ClientConnection>> stale;  // destroyed after the lock is released
    const std::scoped_lock lock(mutex_);
    while (!idle_.empty()) {
      std::unique_ptr<ClientConnection> connection = std::move(idle_.back());
      idle_.pop_back();
      if (!connection->IsStale()) return connection;
      stale.push_back(std::move(connection));
    }
    return nullptr;
  }

  void PutIdle(std::unique_ptr<ClientConnection> connection, const SharedSslContext& context) {
    const std::scoped_lock lock(mutex_);
    if (context == context_ && idle_.size() < kIdleConnectionsMax)
      idle_.push_back(std::move(connection));
  }

  SharedSslContext CurrentContext() {
    if (updates_ != nullptr) Update();
    const std::scoped_lock lock(mutex_);
    return context_;
  }

  /// Checks for new TLS settings. If another thread is doing so, the current settings are used.
  void Update() {
    const std::unique_lock turn(updates_mutex_, std::try_to_lock);
    if (!turn.owns_lock() || !endpoint_.is_tls) return;
    const Duration now = SteadyTime();
    if (updated_at_ && now - *updated_at_ < options_.tls_check_period) return;
    updated_at_ = now;
    const std::optional<ClientTls> tls = updates_();
    if (!tls) return;
    Result<SharedSslContext> context = MakeClientContext(*tls);
    if (!context) return;
    std::vector<std::unique_ptr<ClientConnection>> stale;  // destroyed after the lock is released
    const std::scoped_lock lock(mutex_);
    context_.swap(*context);
    stale.swap(idle_);
  }

  std::unique_ptr<Waiter> AcquireWaiter(Duration timeout) {
    std::unique_ptr<Waiter> waiter;
    {
      const std::scoped_lock lock(mutex_);
      if (!waiters_.empty()) {
        waiter = std::move(waiters_.back());
        waiters_.pop_back();
      }
    }
    if (waiter == nullptr) waiter = std::make_unique<Waiter>();
    waiter->Start(timeout);
    return waiter;
  }

  void PutWaiter(std::unique_ptr<Waiter> waiter) {
    const std::scoped_lock lock(mutex_);
    if (waiters_.size() < kIdleConnectionsMax) waiters_.push_back(std::move(waiter));
  }

  const Endpoint endpoint_;
  const std::string server_name_;
  const TransportOptions options_;
  const TlsUpdates updates_;
  std::mutex updates_mutex_;  // guards updated_at_
  std::optional<Duration> updated_at_;
  std::mutex mutex_;  // guards the context and the two pools
  SharedSslContext context_;
  std::vector<std::unique_ptr<ClientConnection>> idle_;
  std::vector<std::unique_ptr<Waiter>> waiters_;
};

}  // namespace

Result<std::unique_ptr<Transport>> ConnectTo(std::string base_url, const ClientTls& tls,
                                             const TransportOptions& options, TlsUpdates updates) {
  Endpoint endpoint = PL_TRY(ParseUrl(base_url));
  endpoint.unacknowledged_max = options.unacknowledged_max;
  SharedSslContext context;
  if (endpoint.is_tls) context = PL_TRY(MakeClientContext(tls));
  std::string server_name = tls.server_name.empty() ? endpoint.host : tls.server_name;
  return std::make_unique<SocketTransport>(std::move(endpoint), std::move(context),
                                           std::move(server_name), options, std::move(updates));
}

}  // namespace plimsoll::net
