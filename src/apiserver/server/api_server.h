#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>

#include "apiserver/authn/authenticator.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/fairness/fairness.h"
#include "apiserver/request/api_request.h"
#include "apiserver/resource/resource.h"
#include "apiserver/server/body_reader.h"
#include "apiserver/server/health.h"
#include "apiserver/server/log_limit.h"
#include "apiserver/server/request_metrics.h"
#include "apiserver/server/user_budget.h"
#include "base/clock.h"
#include "base/worker_pool.h"
#include "net/http.h"
#include "net/profiling_pages.h"

namespace plimsoll::apiserver {

using RequestPtr = std::shared_ptr<ApiRequest>;

/// What answers requests that were let in: for the objects of resources, and for what is no
/// resource (discovery, OpenAPI, version, metrics).
class Endpoints {
 public:
  virtual ~Endpoints() = default;
  /// get, list and watch, on the carrier's thread: answers without waiting.
  virtual void Read(const RequestPtr& request, const std::shared_ptr<net::Exchange>& exchange) = 0;
  /// Everything else about resources; may wait.
  virtual net::Response Write(ApiRequest& request) = 0;
  /// A path that is no resource's.
  virtual net::Response Document(const ApiRequest& request) = 0;
};

/// Becomes whoever the request's Impersonate-… headers name, if its sender may.
class Impersonation {
 public:
  virtual ~Impersonation() = default;
  virtual api::Answer<void> Apply(ApiRequest& request) const = 0;
};

/// Is told what was asked and how it ended.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  /// The user is authenticated; nothing else has happened yet. False: the request must be refused
  /// with an internal error.
  virtual bool OnReceived(ApiRequest& request) = 0;
  /// The response is about to be sent. Called without OnReceived when nobody was authenticated.
  virtual void OnAnswer(const ApiRequest& request, net::Response& response) = 0;
  /// A watch is about to begin.
  virtual void OnWatchBegin(const ApiRequest& request, int code) = 0;
  virtual void OnWatchEnd(const ApiRequest& request) = 0;
};

/// Refused objects that are logged in a second; a controller may try again and again.
inline constexpr int kRefusalsLoggedPerSecond = 10;

struct ApiServerParts {
  const ResourceTable& resources;
  Clock& clock;
  Logger& log;
  Authenticator& authenticator;
  const Impersonation& impersonation;
  const Authorizer& authorizer;
  Endpoints& endpoints;
  Health& health;
  RequestMetrics& metrics;
  Fairness& fairness;
  RequestObserver* audit = nullptr;  // may be null
  BodyLimits bodies;
  int watches_per_user_max = 10'000;
  std::uint64_t seed = 0;  // of audit ids
  /// Whether the store is on another machine, so that reads wait for it, too.
  bool is_store_remote = false;
  net::ProfilingPages* profiling = nullptr;  // null: off
};

/// Serves every request: authenticates and authorizes it, takes a seat for it, sends it to its
/// endpoint, and on the way back counts it and writes the audit log.
class ApiServer final : public net::Handler {
 public:
  explicit ApiServer(const ApiServerParts& parts);
  ~ApiServer() override;

  void Serve(net::Request http, std::shared_ptr<net::Exchange> exchange) override;

 private:
  class Tracked;
  class Counted;

  /// Authenticates and authorizes the request. Returns the response if it goes no further. If a
  /// WaitBan is hit, the answer does not count, and a second call goes on where the first one had
  /// to wait.
  api::Answer<void> LetIn(ApiRequest& request);
  /// Same as LetIn, but never waits for another server. Returns nothing if it would have to.
  std::optional<api::Answer<void>> TryLetIn(ApiRequest& request);
  /// Answers a request that was refused, and admits the others.
  void Proceed(const RequestPtr& request, const std::shared_ptr<Tracked>& tracked,
               api::Answer<void> allowed);
  api::Answer<void> FindSender(ApiRequest& request);
  api::Answer<void> Authenticate(ApiRequest& request);
  api::Answer<void> Authorize(ApiRequest& request);
  /// Takes a seat for the request and dispatches it, at once or when it has left its queue.
  void Admit(const RequestPtr& request, const std::shared_ptr<Tracked>& tracked);
  void Dispatch(const RequestPtr& request, const std::shared_ptr<Tracked>& exchange);
  void DispatchRead(const RequestPtr& request, const std::shared_ptr<Tracked>& exchange);
  /// Returns false when the user has too many watches.
  bool TakeWatch(ApiRequest& request);
  std::string NewAuditId();
  /// Writes a line to the log, unless there are too many of them.
  void LogRefusal(const ApiRequest& request, std::string_view status);

  const ApiServerParts parts_;
  std::array<std::atomic<int>, 2> inside_{};  // requests with seats: reading, mutating
  BodyReader bodies_;
  UserBudget watches_;
  LogLimit refusals_{kRefusalsLoggedPerSecond};
  std::atomic<std::uint64_t> audit_ids_;
  std::atomic<int> undecided_ = 0;  // handed to deciders_
  // Last, so that their threads end before what they use.
  WorkerPool workers_;
  WorkerPool readers_;   // where reads wait
  WorkerPool deciders_;  // where authentication and authorization wait for remote servers
};

}  // namespace plimsoll::apiserver
