#include "apiserver/server/api_server.h"

#include <fmt/format.h>

#include "apiserver/authn/wait_ban.h"
#include "apiserver/authz/authorizer_chain.h"
#include "apiserver/authz/forbidden.h"
#include "apiserver/fairness/fairness_pages.h"
#include "apiserver/limits.h"
#include "apiserver/request/in_process.h"
#include "apiserver/resource/confidential.h"
#include "apiserver/response/negotiation.h"
#include "base/random.h"
#include "base/text/uuid.h"

namespace plimsoll::apiserver {
namespace {

net::Response TooMany() {
  net::Response response;
  response.status = 429;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"Retry-After", "1"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = MakeBytes("Too many requests, please try again later.\n");
  return response;
}

// Logged at the default verbosity: shows why a controller repeats a write that validation rejects.
constexpr int kUnprocessable = 422;

// Maximum number of bytes of a Status body in a log line.
constexpr std::size_t kLoggedBytes = 2048;

/// Returns the part of a Status that may be logged. A Status can repeat values of the object.
std::string_view LoggedStatus(const ApiRequest& request, std::string_view status) {
  const bool is_shown = request.resource != nullptr && request.info.subresource != "token" &&
                        !IsConfidential(*request.resource->kind);
  return is_shown ? status.substr(0, kLoggedBytes) : kOmittedValue;
}

constexpr std::string_view kAnonymous = "system:anonymous";

bool IsAuthenticated(const User& user) { return !user.name.empty() && user.name != kAnonymous; }

User Anonymous() { return {.name = std::string(kAnonymous), .groups = {"system:unauthenticated"}}; }

/// Number of threads per worker pool. A fiber that waits for the store frees its thread, so few
/// threads would be enough. The others cover writes that block their thread for long.
std::size_t WriteThreads() { return 2 * static_cast<std::size_t>(HardwareThreads()); }

}  // namespace

/// Watch stream that counts as a long-running request until its last owner releases it.
class ApiServer::Counted final : public net::Stream {
 public:
  Counted(const ApiServerParts& parts, RequestPtr request, std::shared_ptr<net::Stream> inner)
      : parts_(parts),
        request_(std::move(request)),
        registration_(parts.fairness.RegisterWatch(request_->info)),
        inner_(std::move(inner)) {
    parts_.metrics.LongRunning(*request_, 1);
  }
  ~Counted() override {
    parts_.metrics.LongRunning(*request_, -1);
    if (parts_.audit != nullptr) parts_.audit->OnWatchEnd(*request_);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  bool Write(net::Piece piece) override { return inner_->Write(std::move(piece)); }
  void End() override { inner_->End(); }
  void OnClose(Task task) override { inner_->OnClose(std::move(task)); }
  void OnWritable(Task task) override { inner_->OnWritable(std::move(task)); }

 private:
  const ApiServerParts& parts_;
  const RequestPtr request_;
  const WatchRegistration registration_;
  const std::shared_ptr<net::Stream> inner_;
};

/// Counts the response in the metrics when it is sent, and holds the request's seat until then.
class ApiServer::Tracked final : public net::Exchange,
                                 public RequestSeat,
                                 public std::enable_shared_from_this<Tracked> {
 public:
  Tracked(ApiServer& server, RequestPtr request, std::shared_ptr<net::Exchange> inner)
      : server_(server), request_(std::move(request)), inner_(std::move(inner)) {}

  ~Tracked() override {
    Release();
    if (seat_ != nullptr) request_->seat = nullptr;
  }

  /// Takes a seat. Returns true if the request has one and the caller may go on. If the request
  /// must wait, runs `work` later on a worker thread (null: dispatches the request). If the request
  /// is rejected, sends the response.
  bool Enter(Task work) {
    if (seat_ == nullptr) {
      seat_ = server_.parts_.fairness.NewSeat(request_);
      request_->seat = this;
    }
    work_ = std::move(work);
    const auto outcome =
        seat_->Acquire(server_.parts_.fairness.options().queue_wait,
                       [self = shared_from_this()](Seat::Outcome later) { self->Resume(later); });
    if (outcome == Seat::Outcome::Waiting) return false;
    if (outcome == Seat::Outcome::Refused) {
      work_ = nullptr;
      Respond(TooMany());
      return false;
    }
    NoteSeat();
    return true;
  }

  void Reacquire(Task work) override {
    if (Enter(std::move(work))) Run();
  }

  void Release() override {
    // The thread that queued the request may still be here after another thread has finished it.
    if (!is_inside_.exchange(false)) return;
    CountInside(-1);
    seat_->Release();
  }

  /// Releases the seat if a watch has begun: a watch needs its seat only until then.
  void AfterWork() {
    if (has_begun_.load(std::memory_order_acquire)) Release();
  }

  void Respond(net::Response response) override {
    const std::size_t bytes = response.body == nullptr ? 0 : response.body->size();
    Count(response.status, bytes);
    if (response.status == kUnprocessable && response.body != nullptr) {
      server_.LogRefusal(*request_, *response.body);
    }
    AddFlowHeaders(response.headers);
    if (server_.parts_.audit != nullptr) server_.parts_.audit->OnAnswer(*request_, response);
    inner_->Respond(std::move(response));
  }

  void ReadBody(std::size_t size_max, net::BodyReceiver receiver) override {
    inner_->ReadBody(size_max, std::move(receiver));
  }
  void MarkAuthenticated() override { inner_->MarkAuthenticated(); }

  std::shared_ptr<net::Stream> Begin(int status, net::Headers headers) override {
    Count(status, 0);
    if (server_.parts_.audit != nullptr) server_.parts_.audit->OnWatchBegin(*request_, status);
    AddFlowHeaders(headers);
    auto stream = std::make_shared<Counted>(server_.parts_, request_,
                                            inner_->Begin(status, std::move(headers)));
    has_begun_.store(true, std::memory_order_release);
    return stream;
  }

 private:
  void Resume(Seat::Outcome outcome) {
    if (outcome != Seat::Outcome::Seated) {
      work_ = nullptr;
      return Respond(TooMany());
    }
    NoteSeat();
    Run();
  }

  /// Uses a worker thread: the calling thread feeds the cache or has just finished a request.
  void Run() {
    WorkerPool& pool = IsMutating(request_->info) ? server_.workers_ : server_.readers_;
    pool.Run([self = shared_from_this()] {
      Task work = std::exchange(self->work_, nullptr);
      if (work == nullptr) return self->server_.Dispatch(self->request_, self);
      work();
      self->AfterWork();
    });
  }

  void NoteSeat() {
    CountInside(1);
    is_inside_ = true;
  }

  void CountInside(int by) {
    const bool is_mutating = IsMutating(request_->info);
    server_.parts_.metrics.Inflight(is_mutating, server_.inside_[is_mutating ? 1 : 0] += by);
  }

  void AddFlowHeaders(net::Headers& headers) const {
    // In-process clients do not read these headers.
    if (seat_ == nullptr || IsInProcess(*request_)) return;
    const Flow& flow = seat_->flow();
    if (flow.config.uid.empty()) return;
    headers.Add("X-Kubernetes-PF-FlowSchema-UID", flow.config.uid);
    headers.Add("X-Kubernetes-PF-PriorityLevel-UID", flow.level_uid);
  }

  void Count(int status, std::size_t bytes) {
    const Duration took = server_.parts_.clock.Now() - request_->received;
    server_.parts_.metrics.Answered(*request_, status, took, bytes);
  }

  ApiServer& server_;
  RequestPtr request_;
  std::shared_ptr<net::Exchange> inner_;
  std::shared_ptr<Seat> seat_;  // null: the request was rejected before it needed one
  Task work_;                   // runs when the request gets a seat
  std::atomic<bool> is_inside_ = false;
  std::atomic<bool> has_begun_ = false;
};

ApiServer::ApiServer(const ApiServerParts& parts)
    : parts_(parts),
      bodies_(parts.bodies),
      watches_(~std::uint64_t{0}, static_cast<std::uint64_t>(parts.watches_per_user_max)),
      audit_ids_(parts.seed),
      // Every seat has a fiber. Exempt requests beyond that wait for a free fiber.
      workers_(WriteThreads(), {.name = "api-write"},
               parts.fairness.concurrency() / WriteThreads() + 1),
      readers_(WriteThreads(), {.name = "api-read"},
               parts.fairness.concurrency() / WriteThreads() + 1),
      deciders_(WriteThreads(), {.name = "api-auth"}, kUndecidedRequestsMax / WriteThreads() + 1) {}

ApiServer::~ApiServer() { parts_.fairness.Close(); }

std::string ApiServer::NewAuditId() {
  Random random(audit_ids_.fetch_add(1, std::memory_order_relaxed));
  const std::uint64_t high = random.Next();
  return RandomUuid(high, random.Next());
}

api::Answer<void> ApiServer::FindSender(ApiRequest& request) {
  api::Answer<std::optional<User>> found = parts_.authenticator.Authenticate(request.http);
  if (WaitBan::IsHit()) return std::unexpected(api::Unauthorized());
  parts_.metrics.AuthenticationAttempt(!found ? "failure" : "success");
  std::optional<User> user = PL_TRY(std::move(found));
  request.user = user ? *std::move(user) : Anonymous();
  request.is_sender_known = true;
  if (parts_.audit != nullptr && !parts_.audit->OnReceived(request)) {
    return std::unexpected(api::InternalError("failed to store audit event"));
  }
  return {};
}

api::Answer<void> ApiServer::Authenticate(ApiRequest& request) {
  // A second call skips the steps that the first call finished before it had to wait. The audit log
  // gets one event, and impersonation has already removed its headers from the request.
  if (!request.is_sender_known) PL_TRY(FindSender(request));
  if (request.is_user_final) return {};
  PL_TRY(parts_.impersonation.Apply(request));
  request.is_user_final = true;
  return {};
}

api::Answer<void> ApiServer::Authorize(ApiRequest& request) {
  const Decision& decision =
      request.decision.emplace(parts_.authorizer.Authorize(request.user, request.info));
  if (WaitBan::IsHit()) return std::unexpected(api::Unauthorized());
  parts_.metrics.AuthorizationAttempt(decision.is_allowed ? "allowed" : "denied");
  if (decision.is_allowed) return {};
  return std::unexpected(ForbiddenStatus(request.user, request.info, decision.reason));
}

api::Answer<void> ApiServer::AuthenticateAndAuthorize(ApiRequest& request) {
  PL_TRY(Authenticate(request));
  if (request.refusal) return std::unexpected(*request.refusal);
  return Authorize(request);
}

std::optional<api::Answer<void>> ApiServer::TryLetIn(ApiRequest& request) {
  const WaitBan ban;
  api::Answer<void> allowed = AuthenticateAndAuthorize(request);
  if (ban.was_hit()) return std::nullopt;
  return allowed;
}

void ApiServer::Admit(const RequestPtr& request, const std::shared_ptr<Tracked>& tracked) {
  if (tracked->Enter(nullptr)) Dispatch(request, tracked);
}

void ApiServer::LogRefusal(const ApiRequest& request, std::string_view status) {
  const std::optional<std::uint64_t> omitted = refusals_.Acquire(parts_.clock.Now());
  if (!omitted) return;
  PL_LOG(parts_.log, Info(), "Rejected an invalid object", {"verb", request.info.verb},
         {"path", request.target.path}, {"user", request.user.name},
         {"status", LoggedStatus(request, status)}, {"omittedBefore", *omitted});
}

void ApiServer::Dispatch(const RequestPtr& request, const std::shared_ptr<Tracked>& exchange) {
  if (parts_.profiling != nullptr && net::ProfilingPages::Owns(request->target.path)) {
    exchange->Release();  // a profile takes long
    return parts_.profiling->Serve(request->http, request->target, exchange);
  }
  if (parts_.fairness.options().is_enabled && IsFairnessPage(request->target.path)) {
    return exchange->Respond(
        ServeFairnessPage(parts_.fairness, request->http.method, request->target));
  }
  if (!request->info.is_resource_request) {
    exchange->Respond(parts_.health.Owns(request->target.path)
                          ? parts_.health.Serve(request->target)
                          : parts_.endpoints.Document(*request));
    return;
  }
  if (!request->is_verb_served) {
    exchange->Respond(RespondStatus(*request, api::NoSuchMethod()));
    return;
  }
  if (!IsMutating(request->info)) return DispatchRead(request, exchange);
  // An in-process caller waits for the response on a thread of its own. Doing the work on that
  // thread saves two thread wake-ups.
  if (IsInProcess(*request)) return exchange->Respond(parts_.endpoints.Write(*request));
  bodies_.Read(request, exchange, [this, request, exchange] {
    workers_.Run(
        [this, request, exchange] { exchange->Respond(parts_.endpoints.Write(*request)); });
  });
}

bool ApiServer::AcquireWatch(ApiRequest& request) {
  if (request.info.verb != "watch" || request.http.local.has_value() ||
      request.user.IsIn(kMastersGroup)) {
    return true;
  }
  request.budget_share = watches_.Reserve(request.user.name, 1);
  return request.budget_share.has_value();
}

void ApiServer::DispatchRead(const RequestPtr& request, const std::shared_ptr<Tracked>& exchange) {
  if (!AcquireWatch(*request)) return exchange->Respond(TooMany());
  const auto read = [this, request, exchange] {
    parts_.endpoints.Read(request, exchange);
    exchange->AfterWork();
  };
  return parts_.is_store_remote ? readers_.Run(read) : read();
}

void ApiServer::Serve(net::Request http, std::shared_ptr<net::Exchange> exchange) {
  ParsedRequest parsed = ParseRequest(http.method, http.target, parts_.resources);
  auto request = std::make_shared<ApiRequest>(std::move(http), std::move(parsed));
  request->received = parts_.clock.Now();
  const std::string_view audit_id = request->http.headers.Find("Audit-ID");
  // Uses the client's Audit-ID unless it is too long.
  request->audit_id = audit_id.empty() || audit_id.size() > 64 ? NewAuditId() : audit_id;
  const auto tracked = std::make_shared<Tracked>(*this, request, std::move(exchange));
  std::optional<api::Answer<void>> allowed = TryLetIn(*request);
  if (allowed) return Proceed(request, tracked, *std::move(allowed));
  if (pending_auth_.fetch_add(1, std::memory_order_relaxed) >= kUndecidedRequestsMax) {
    pending_auth_.fetch_sub(1, std::memory_order_relaxed);
    tracked->Respond(TooMany());
    return;
  }
  deciders_.Run([this, request, tracked] {
    api::Answer<void> decided = AuthenticateAndAuthorize(*request);
    pending_auth_.fetch_sub(1, std::memory_order_relaxed);
    Proceed(request, tracked, std::move(decided));
  });
}

void ApiServer::Proceed(const RequestPtr& request, const std::shared_ptr<Tracked>& tracked,
                        api::Answer<void> allowed) {
  if (IsAuthenticated(request->user)) tracked->MarkAuthenticated();
  if (!allowed) {
    request->refusal = std::move(allowed.error());
    tracked->Respond(RespondStatus(*request, *request->refusal));
    return;
  }
  Admit(request, tracked);
}

}  // namespace plimsoll::apiserver
