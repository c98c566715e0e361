#include "runner/component_server.h"

#include <utility>

#include "net/pki.h"

namespace plimsoll::runner {
namespace {

net::Response Plain(int status, std::string text, std::string type = "text/plain; charset=utf-8") {
  net::Response response;
  response.status = status;
  response.headers.Add("Content-Type", std::move(type));
  response.body = MakeBytes(std::move(text));
  return response;
}

Result<net::ServerTls> MakeCertificate(const ComponentServerOptions& options, Instant now) {
  constexpr Duration kLifetime = std::chrono::hours(24 * 365);
  const net::KeyPair authority =
      PL_TRY(net::MakeAuthority(options.name + "-ca", now - std::chrono::hours(1), kLifetime));
  net::CertificateRequest request;
  request.common_name = options.name;
  request.names = {"localhost", "127.0.0.1", "::1"};
  request.not_before = now - std::chrono::hours(1);
  request.lifetime = kLifetime;
  net::KeyPair pair = PL_TRY(net::IssueCertificate(authority, request));
  net::ServerTls tls;
  tls.certificate_pem = std::move(pair.certificate_pem) + authority.certificate_pem;
  tls.key_pem = std::move(pair.key_pem);
  return tls;
}

}  // namespace

class ComponentServer::Pages : public net::Handler {
 public:
  Pages(const MetricsRegistry& metrics, std::function<bool()> is_ready)
      : metrics_(metrics), is_ready_(std::move(is_ready)) {}

  void Serve(net::Request request, std::shared_ptr<net::Exchange> exchange) override {
    exchange->Respond(Answer(request));
  }

 private:
  net::Response Answer(const net::Request& request) const {
    const Result<net::Target> target = net::ParseTarget(request.target);
    if (!target) return Plain(400, target.error().Text() + "\n");
    if (request.method != "GET" && request.method != "HEAD") {
      return Plain(405, "only GET is allowed here\n");
    }
    if (target->path == "/healthz" || target->path == "/livez") return Plain(200, "ok");
    if (target->path == "/readyz") {
      return is_ready_() ? Plain(200, "ok") : Plain(500, "informers have not synced yet\n");
    }
    if (target->path == "/metrics") {
      return Plain(200, metrics_.Text(), "text/plain; version=0.0.4; charset=utf-8");
    }
    return Plain(404, "404 page not found\n");
  }

  const MetricsRegistry& metrics_;
  const std::function<bool()> is_ready_;
};

ComponentServer::ComponentServer(std::unique_ptr<Pages> pages) : pages_(std::move(pages)) {}
ComponentServer::~ComponentServer() = default;

Result<std::unique_ptr<ComponentServer>> ComponentServer::Start(
    const ComponentServerOptions& options, const Clock& clock, Logger& log,
    const MetricsRegistry& metrics, std::function<bool()> is_ready) {
  net::ServerOptions serving;
  serving.address = options.address;
  serving.port = options.port;
  serving.threads = 1;
  serving.tls = PL_TRY(MakeCertificate(options, clock.Now()));
  std::unique_ptr<ComponentServer> server(
      new ComponentServer(std::make_unique<Pages>(metrics, std::move(is_ready))));
  server->server_ = PL_TRY(net::Server::Start(serving, *server->pages_, log));
  return server;
}

std::uint16_t ComponentServer::port() const { return server_->port(); }

}  // namespace plimsoll::runner
