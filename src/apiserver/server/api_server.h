#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>

#include "apiserver/authn/authenticator.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/fairness/fairness.h"
#include "apiserver/request/api_request.h"
#include "apiserver/request/user_budget.h"
#include "apiserver/resource/resource.h"
#include "apiserver/server/body_reader.h"
#include "apiserver/server/health.h"
#include "apiserver/server/log_limit.h"
#include "apiserver/server/request_metrics.h"
#include "base/async.h"
#include "base/clock.h"
#include "net/http.h"
#include "net/profiling_pages.h"

namespace plimsoll::apiserver {

using RequestPtr = std::shared_ptr<ApiRequest>;

/// Answers requests that passed authentication, authorization and fairness: requests for objects,
/// and for non-resource paths (discovery, OpenAPI, version, metrics).
/// An interface, because tests of the server answer without a store.
class Endpoints {
 public:
  virtual ~Endpoints() = default;
  /// Serves get, list and watch. Must not block for long, unless the store is remote.
  virtual void Read(const RequestPtr& request, const std::shared_ptr<net::Exchange>& exchange) = 0;
  /// Serves all other verbs of resources. May block.
  virtual net::Response Write(ApiRequest& request) = 0;
  /// Serves a non-resource path.
  virtual net::Response Document(const ApiRequest& request) = 0;
};

/// Replaces the user by the one in the Impersonate-* headers, if the sender may impersonate it.
/// An interface, because tests of the server need no authorizer for it.
class Impersonation {
 public:
  virtual ~Impersonation() = default;
  virtual api::Answer<void> Apply(ApiRequest& request) const = 0;
};

/// Observes requests and their responses, for the audit log.
/// An interface, because the server does not depend on the audit log, which may be off.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  /// Called after authentication, before anything else. If it returns false, the server must reject
  /// the request with an internal error.
  virtual bool OnReceived(ApiRequest& request) = 0;
  /// Called before the response is sent. OnReceived was not called if authentication failed.
  virtual void OnAnswer(const ApiRequest& request, net::Response& response) = 0;
  /// Called before a watch begins.
  virtual void OnWatchBegin(const ApiRequest& request, int code) = 0;
  virtual void OnWatchEnd(const ApiRequest& request) = 0;
};

/// Maximum number of rejected objects logged per second. A controller may retry in a loop.
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
  std::uint64_t seed = 0;  // of the audit ids
  /// True if the store is on another machine, so that reads wait for it, too.
  bool is_store_remote = false;
  net::ProfilingPages* profiling = nullptr;  // null: off
};

/// Serves every request: authenticates and authorizes it, takes a seat for it and sends it to its
/// endpoint. Records the response in the metrics and the audit log.
class ApiServer final : public net::Handler {
 public:
  explicit ApiServer(const ApiServerParts& parts);
  ~ApiServer() override;

  void Serve(net::Request http, std::shared_ptr<net::Exchange> exchange) override;

 private:
  class Tracked;
  class Counted;

  /// Authenticates and authorizes the request. Returns the error response if either fails. If a
  /// WaitBan is hit, the caller must ignore the result. A second call then continues where the
  /// first one had to wait.
  api::Answer<void> AuthenticateAndAuthorize(ApiRequest& request);
  /// Same as AuthenticateAndAuthorize, but never waits for a remote server. Returns nullopt if it
  /// would have to.
  std::optional<api::Answer<void>> TryLetIn(ApiRequest& request);
  /// Sends the response if the request was rejected; admits it otherwise.
  void Proceed(const RequestPtr& request, const std::shared_ptr<Tracked>& tracked,
               api::Answer<void> allowed);
  api::Answer<void> FindSender(ApiRequest& request);
  api::Answer<void> Authenticate(ApiRequest& request);
  api::Answer<void> Authorize(ApiRequest& request);
  /// Takes a seat for the request and dispatches it, now or when it leaves its queue.
  void Admit(const RequestPtr& request, const std::shared_ptr<Tracked>& tracked);
  void Dispatch(const RequestPtr& request, const std::shared_ptr<Tracked>& exchange);
  void DispatchRead(const RequestPtr& request, const std::shared_ptr<Tracked>& exchange);
  /// Returns false if the user has too many watches.
  bool AcquireWatch(ApiRequest& request);
  std::string NewAuditId();
  /// Logs a rejected object, unless kRefusalsLoggedPerSecond is exceeded.
  void LogRefusal(const ApiRequest& request, std::string_view status);

  const ApiServerParts parts_;
  std::array<std::atomic<int>, 2> inside_{};  // requests with seats: read-only, mutating
  BodyReader bodies_;
  UserBudget watches_;
  LogLimit refusals_{kRefusalsLoggedPerSecond};
  std::atomic<std::uint64_t> audit_ids_;
  std::atomic<int> pending_auth_ = 0;  // requests that deciders_ authenticates or authorizes
  // Last members: their threads must end before the members they use are destroyed.
  WorkerPool workers_;
  WorkerPool readers_;   // for reads that wait
  WorkerPool deciders_;  // for authentication and authorization by remote servers
};

}  // namespace plimsoll::apiserver
