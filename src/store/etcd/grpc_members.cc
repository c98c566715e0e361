#include "store/etcd/grpc_members.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

namespace plimsoll::store::etcd {
namespace {

// Kubernetes' values. etcd closes connections with pings more often than every five seconds.
constexpr int kKeepaliveMs = 30'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
constexpr int kConnectMsMin = 2'000;
constexpr int kReconnectMsFirst = 100;
constexpr int kReconnectMsMax = 3'000;

grpc::ChannelArguments Arguments() {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectMsMin);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectMsFirst);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectMsMax);
  // Retries are decided by Writes and RemoteStore.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  return arguments;
}

constexpr unsigned kFileCheckSeconds = 10;

/// Returns credentials that reload the files, for new connections only. A certificate and a key may
/// not match between two file writes; the library ignores them then.
std::shared_ptr<grpc::ChannelCredentials> FollowFiles(const GrpcOptions& options) {
  grpc::experimental::TlsChannelCredentialsOptions tls;
  tls.set_certificate_provider(std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
      options.key_file, options.certificate_file, options.authorities_file, kFileCheckSeconds));
  if (!options.authorities_file.empty()) tls.watch_root_certs();
  if (!options.certificate_file.empty()) tls.watch_identity_key_cert_pairs();
  return grpc::experimental::TlsCredentials(tls);
}

std::shared_ptr<grpc::ChannelCredentials> SecureCredentials(const GrpcOptions& options) {
  const bool has_pair = !options.certificate_file.empty() && !options.key_file.empty();
  if (has_pair || (!options.authorities_file.empty() && options.certificate.empty())) {
    return FollowFiles(options);
  }
  return grpc::SslCredentials({options.authorities, options.key, options.certificate});
}

}  // namespace

Members::Members(const GrpcOptions& options) : answers_(options.endpoints.size()) {
  for (const Endpoint& endpoint : options.endpoints) {
    const std::shared_ptr<grpc::Channel> channel = grpc::CreateCustomChannel(
        endpoint.address,
        endpoint.is_tls ? SecureCredentials(options) : grpc::InsecureChannelCredentials(),
        Arguments());
    members_.push_back({etcdserverpb::KV::NewStub(channel), etcdserverpb::Watch::NewStub(channel),
                        etcdserverpb::Maintenance::NewStub(channel),
                        etcdserverpb::Auth::NewStub(channel)});
  }
}

void Members::SwitchFrom(std::size_t index) {
  // It only counts up, so that two callers who saw the same member fail leave it once.
  std::size_t seen = current_.load();
  while (seen % members_.size() == index && !current_.compare_exchange_weak(seen, seen + 1)) {
  }
}

void AddHeaders(grpc::ClientContext& context, const std::string& token) {
  context.AddMetadata("hasleader", "true");
  if (!token.empty()) context.AddMetadata("token", token);
}

}  // namespace plimsoll::store::etcd
