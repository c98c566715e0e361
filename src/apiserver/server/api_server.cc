#include "apiserver/server/api_server.h"

#include <fmt/format.h>

#include "apiserver/authz/forbidden.h"
#include "apiserver/request/in_process.h"
#include "apiserver/resource/confidential.h"
#include "apiserver/response/negotiation.h"
#include "base/random.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kMasters = "system:masters";

bool IsMutating(const RequestInfo& info) {
  return info.verb != "get" && info.verb != "list" && info.verb != "watch" && info.verb != "head";
}

Standing StandingOf(const ApiRequest& request) {
  // A watch holds its place for an hour; it is bounded by connections instead.
  if (request.info.verb == "watch" || request.user.IsIn(kMasters)) return Standing::Exempt;
  return request.http.local ? Standing::Apart : Standing::Limited;
}

net::Response TooMany() {
  net::Response response;
  response.status = 429;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"Retry-After", "1"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = MakeBytes("Too many requests, please try again later.\n");
  return response;
}

// What does not pass validation: for a controller that tries again and again, this is the cause.
constexpr int kUnprocessable = 422;

/// The status of a refusal shows values of the object.
std::string_view LoggedStatus(const ApiRequest& request, std::string_view status) {
  const bool is_shown = request.resource != nullptr && request.info.subresource != "token" &&
                        !IsConfidential(*request.resource->kind);
  return is_shown ? status : kOmittedValue;
}

constexpr std::string_view kAnonymous = "system:anonymous";

bool IsAuthenticated(const User& user) { return !user.name.empty() && user.name != kAnonymous; }

User Anonymous() { return {.name = std::string(kAnonymous), .groups = {"system:unauthenticated"}}; }

/// Writes wait for the store as fibers do, so that few threads would be enough. Some more, for the
/// sake of those that stand still on the thread of a write that takes long.
std::size_t WriteThreads() { return 2 * static_cast<std::size_t>(HardwareThreads()); }

}  // namespace

/// A watch that is counted as long as somebody holds it, however it ends.
class ApiServer::Counted final : public net::Stream {
 public:
  Counted(const ApiServerParts& parts, RequestPtr request, std::shared_ptr<net::Stream> inner)
      : parts_(parts), request_(std::move(request)), inner_(std::move(inner)) {
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
  void WhenRoom(Task task) override { inner_->WhenRoom(std::move(task)); }

 private:
  const ApiServerParts& parts_;
  const RequestPtr request_;
  const std::shared_ptr<net::Stream> inner_;
};

/// Sees the answer go by, and gives the request's place to the next one.
class ApiServer::Tracked final : public net::Exchange {
 public:
  Tracked(ApiServer& server, RequestPtr request, std::shared_ptr<net::Exchange> inner)
      : server_(server), request_(std::move(request)), inner_(std::move(inner)) {}

  ~Tracked() override {
    if (is_inside_) server_.inflight_.Leave(is_mutating_, standing_);
  }

  bool Enter(bool is_mutating, Standing standing) {
    is_mutating_ = is_mutating;
    standing_ = standing;
    is_inside_ = server_.inflight_.Enter(is_mutating, standing);
    return is_inside_;
  }

  void Respond(net::Response response) override {
    const std::size_t bytes = response.body == nullptr ? 0 : response.body->size();
    Count(response.status, bytes);
    if (response.status == kUnprocessable && response.body != nullptr) {
      PL_LOG(server_.parts_.log, Info(2), "Refused an invalid object",
             {"verb", request_->info.verb}, {"path", request_->target.path},
             {"user", request_->user.name}, {"status", LoggedStatus(*request_, *response.body)});
    }
    inner_->Respond(std::move(response));
  }

  void ReadBody(std::size_t size_max, net::BodyReceiver receiver) override {
    inner_->ReadBody(size_max, std::move(receiver));
  }
  void MarkAuthenticated() override { inner_->MarkAuthenticated(); }

  std::shared_ptr<net::Stream> Begin(int status, net::Headers headers) override {
    Count(status, 0);
    return std::make_shared<Counted>(server_.parts_, request_,
                                     inner_->Begin(status, std::move(headers)));
  }

 private:
  void Count(int status, std::size_t bytes) {
    const Duration took = server_.parts_.clock.Now() - request_->received;
    server_.parts_.metrics.Answered(*request_, status, took, bytes);
    if (server_.parts_.audit != nullptr) server_.parts_.audit->OnAnswer(*request_, status);
  }

  ApiServer& server_;
  RequestPtr request_;
  std::shared_ptr<net::Exchange> inner_;
  bool is_mutating_ = false;
  Standing standing_ = Standing::Limited;
  bool is_inside_ = false;
};

ApiServer::ApiServer(const ApiServerParts& parts)
    : parts_(parts),
      inflight_(parts.limits, parts.metrics),
      bodies_(parts.bodies),
      watches_(~std::uint64_t{0}, static_cast<std::uint64_t>(parts.watches_per_user_max)),
      audit_ids_(parts.seed),
      // Exempt requests may exceed the limit; they then wait for their turn instead of being
      // refused.
      workers_(WriteThreads(), {.name = "api-write"},
               static_cast<std::size_t>(parts.limits.mutating_max) / WriteThreads() + 1),
      readers_(WriteThreads(), {.name = "api-read"},
               static_cast<std::size_t>(parts.limits.reading_max) / WriteThreads() + 1) {}

ApiServer::~ApiServer() = default;

std::string ApiServer::NewAuditId() {
  Random random(audit_ids_.fetch_add(1, std::memory_order_relaxed));
  const std::uint64_t high = (random.Next() & ~0xf000ULL) | 0x4000ULL;
  const std::uint64_t low = (random.Next() & ~(3ULL << 62)) | (2ULL << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffffffffffffULL);
}

api::Answer<void> ApiServer::Authenticate(ApiRequest& request) {
  api::Answer<std::optional<User>> found = parts_.authenticator.Authenticate(request.http);
  parts_.metrics.AuthenticationAttempt(!found ? "failure" : "success");
  std::optional<User> user = PL_TRY(std::move(found));
  request.user = user ? *std::move(user) : Anonymous();
  return parts_.impersonation.Apply(request);
}

api::Answer<void> ApiServer::Authorize(ApiRequest& request) {
  const Decision& decision =
      request.decision.emplace(parts_.authorizer.Authorize(request.user, request.info));
  parts_.metrics.AuthorizationAttempt(decision.is_allowed ? "allowed" : "denied");
  if (decision.is_allowed) return {};
  return std::unexpected(ForbiddenStatus(request.user, request.info, decision.reason));
}

api::Answer<void> ApiServer::LetIn(ApiRequest& request) {
  PL_TRY(Authenticate(request));
  if (request.refusal) return std::unexpected(*request.refusal);
  return Authorize(request);
}

void ApiServer::Dispatch(const RequestPtr& request,
                         const std::shared_ptr<net::Exchange>& exchange) {
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
  // A caller within the process waits for the answer on a thread of its own, which may as well do
  // the work: two wakings less.
  if (IsInProcess(*request)) return exchange->Respond(parts_.endpoints.Write(*request));
  bodies_.Read(request, exchange, [this, request, exchange] {
    workers_.Run(
        [this, request, exchange] { exchange->Respond(parts_.endpoints.Write(*request)); });
  });
}

bool ApiServer::TakeWatch(ApiRequest& request) {
  if (request.info.verb != "watch" || request.http.local.has_value() ||
      request.user.IsIn(kMasters)) {
    return true;
  }
  request.hold = watches_.Take(request.user.name, 1);
  return request.hold != nullptr;
}

void ApiServer::DispatchRead(const RequestPtr& request,
                             const std::shared_ptr<net::Exchange>& exchange) {
  if (!TakeWatch(*request)) return exchange->Respond(TooMany());
  if (!parts_.is_store_remote) return parts_.endpoints.Read(request, exchange);
  readers_.Run([this, request, exchange] { parts_.endpoints.Read(request, exchange); });
}

void ApiServer::Serve(net::Request http, std::shared_ptr<net::Exchange> exchange) {
  ParsedRequest parsed = ParseRequest(http.method, http.target, parts_.resources);
  auto request = std::make_shared<ApiRequest>(std::move(http), std::move(parsed));
  request->received = parts_.clock.Now();
  const std::string_view audit_id = request->http.headers.Find("Audit-ID");
  // The client's own id, unless it is too long to be one.
  request->audit_id = audit_id.empty() || audit_id.size() > 64 ? NewAuditId() : audit_id;
  const auto tracked = std::make_shared<Tracked>(*this, request, std::move(exchange));
  api::Answer<void> allowed = LetIn(*request);
  if (IsAuthenticated(request->user)) tracked->MarkAuthenticated();
  if (!allowed) {
    request->refusal = std::move(allowed.error());
    tracked->Respond(RespondStatus(*request, *request->refusal));
    return;
  }
  if (!tracked->Enter(IsMutating(request->info), StandingOf(*request))) {
    tracked->Respond(TooMany());
    return;
  }
  Dispatch(request, tracked);
}

}  // namespace plimsoll::apiserver
