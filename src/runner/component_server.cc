#include "runner/component_server.h"

#include <atomic>
#include <utility>

#include "base/async.h"
#include "net/pki.h"
#include "net/profiling_pages.h"
#include "runner/limits.h"

namespace plimsoll::runner {
namespace {

constexpr std::size_t kReviewThreads = 2;
constexpr Duration kCertificateLifetime = std::chrono::hours(24 * 365);
constexpr Duration kRenewBefore = std::chrono::hours(24 * 30);
constexpr Duration kRenewalRetry = std::chrono::hours(1);

net::Response Plain(int status, std::string text, std::string type = "text/plain; charset=utf-8") {
  net::Response response;
  response.status = status;
  response.headers.Add("Content-Type", std::move(type));
  response.body = MakeBytes(std::move(text));
  return response;
}

net::Response Refusal(const api::StatusObject& status) {
  net::Response response = Plain(status.code, status.Json(), "application/json");
  response.headers.Add("X-Content-Type-Options", "nosniff");
  return response;
}

net::Response TooManyReviews() {
  net::Response response =
      Refusal(api::TooManyRequests("too many requests, please try again later", 1));
  response.headers.Add("Retry-After", "1");
  return response;
}

Result<net::ServerTls> MakeCertificate(const ComponentServerOptions& options, Instant now) {
  const net::KeyPair authority = PL_TRY(
      net::MakeAuthority(options.name + "-ca", now - std::chrono::hours(1), kCertificateLifetime));
  net::CertificateRequest request;
  request.common_name = options.name;
  request.names = {"localhost", "127.0.0.1", "::1"};
  request.not_before = now - std::chrono::hours(1);
  request.lifetime = kCertificateLifetime;
  net::KeyPair pair = PL_TRY(net::IssueCertificate(authority, request));
  net::ServerTls tls;
  tls.certificate_pem = std::move(pair.certificate_pem) + authority.certificate_pem;
  tls.key_pem = std::move(pair.key_pem);
  tls.client_ca_pem = options.client_ca_pem;
  return tls;
}

}  // namespace

class ComponentServer::Pages : public net::Handler {
 public:
  Pages(const MetricsRegistry& metrics, DelegatedAuth& auth, std::function<bool()> is_ready,
        bool has_profiling)
      : metrics_(metrics),
        auth_(auth),
        is_ready_(std::move(is_ready)),
        has_profiling_(has_profiling),
        reviewers_(kReviewThreads, {.name = "page-auth"}) {}

  void Serve(net::Request request, std::shared_ptr<net::Exchange> exchange) override {
    Result<net::Target> target = net::ParseTarget(request.target);
    if (!target) return exchange->Respond(Plain(400, target.error().Text() + "\n"));
    if (auth_.IsOpen(target->path)) return exchange->Respond(Answer(request, *target));
    // The API server decides, and this thread must not block on it.
    if (++reviews_ > kReviewsMax) {
      --reviews_;
      return exchange->Respond(TooManyReviews());
    }
    reviewers_.Run([this, request = std::move(request), target = *std::move(target),
                    exchange = std::move(exchange)] {
      const api::Answer<void> allowed = auth_.Check(request, target.path);
      --reviews_;
      if (allowed) exchange->MarkAuthenticated();
      if (allowed && has_profiling_ && net::ProfilingPages::Owns(target.path)) {
        return profiling_.Serve(request, target, exchange);
      }
      exchange->Respond(allowed ? Answer(request, target) : Refusal(allowed.error()));
    });
  }

 private:
  net::Response Answer(const net::Request& request, const net::Target& target) const {
    if (request.method != "GET" && request.method != "HEAD") {
      return Plain(405, "only GET is allowed here\n");
    }
    if (target.path == "/healthz" || target.path == "/livez") return Plain(200, "ok");
    if (target.path == "/readyz") {
      return is_ready_() ? Plain(200, "ok") : Plain(500, "informers have not synced yet\n");
    }
    if (target.path == "/metrics") {
      return Plain(200, metrics_.Text(), "text/plain; version=0.0.4; charset=utf-8");
    }
    return Plain(404, "404 page not found\n");
  }

  const MetricsRegistry& metrics_;
  DelegatedAuth& auth_;
  const std::function<bool()> is_ready_;
  const bool has_profiling_;
  std::atomic<int> reviews_ = 0;
  net::ProfilingPages profiling_;
  WorkerPool reviewers_;  // last member: its threads end first
};

/// Replaces the certificate of a server before it expires. Checks every hour.
class ComponentServer::Renewal {
 public:
  Renewal(ComponentServerOptions options, Clock& clock, Logger& log, net::Server& server)
      : options_(std::move(options)),
        log_(log),
        server_(server),
        renew_at_(clock.Now() + kCertificateLifetime - kRenewBefore),
        timer_(clock, {.interval = kRenewalRetry}, [this](Instant now) {
          if (now >= renew_at_) Renew(now);
        }) {}

 private:
  void Renew(Instant now) {
    const Status replaced = Replace(now);
    if (replaced) {
      renew_at_ = now + kCertificateLifetime - kRenewBefore;
      PL_LOG(log_, Info(), "Renewed the serving certificate", {"component", options_.name});
    } else {
      PL_LOG(log_, Error(), "Cannot renew the serving certificate; trying again in an hour",
             {"component", options_.name}, {"error", replaced.error().Text()});
    }
  }
  Status Replace(Instant now) { return server_.ReplaceTls(PL_TRY(MakeCertificate(options_, now))); }

  const ComponentServerOptions options_;
  Logger& log_;
  net::Server& server_;
  Instant renew_at_;
  Periodic timer_;  // last: it stops before the rest is gone
};

ComponentServer::ComponentServer(std::unique_ptr<Pages> pages) : pages_(std::move(pages)) {}
ComponentServer::~ComponentServer() = default;

Result<std::unique_ptr<ComponentServer>> ComponentServer::Start(
    const ComponentServerOptions& options, Clock& clock, Logger& log,
    const MetricsRegistry& metrics, DelegatedAuth& auth, std::function<bool()> is_ready) {
  net::ServerOptions serving;
  serving.address = options.address;
  serving.port = options.port;
  serving.threads = 1;
  serving.connections = {.total_max = kComponentConnectionsMax,
                         .per_address_max = kComponentConnectionsMax};
  serving.tls = PL_TRY(MakeCertificate(options, clock.Now()));
  std::unique_ptr<ComponentServer> server(new ComponentServer(
      std::make_unique<Pages>(metrics, auth, std::move(is_ready), options.has_profiling)));
  server->server_ = PL_TRY(net::Server::Start(serving, *server->pages_, log));
  server->renewal_ = std::make_unique<Renewal>(options, clock, log, *server->server_);
  return server;
}

std::uint16_t ComponentServer::port() const { return server_->port(); }

}  // namespace plimsoll::runner
