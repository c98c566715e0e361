#include "apiserver/server/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <semaphore>

#include "apiserver/authn/header_impersonation.h"
#include "apiserver/authn/request_authenticator.h"
#include "apiserver/authn/service_account_tokens.h"
#include "apiserver/authz/authorizer_chain.h"
#include "apiserver/authz/node_authorizer.h"
#include "apiserver/authz/rbac_authorizer.h"
#include "apiserver/authz/webhook_authorizer.h"
#include "apiserver/bootstrap/bootstrap.h"
#include "apiserver/credentials/reloader.h"
#include "apiserver/credentials/serving_credentials.h"
#include "apiserver/encryption/config_reload.h"
#include "apiserver/encryption/encrypted_store.h"
#include "apiserver/fairness/fairness_feed.h"
#include "apiserver/limits.h"
#include "apiserver/read/reader.h"
#include "apiserver/server/api_server.h"
#include "apiserver/server/default_objects_keeper.h"
#include "apiserver/server/event_expiry.h"
#include "apiserver/server/local_bootstrap.h"
#include "apiserver/server/loopback_port.h"
#include "apiserver/server/metered_expressions.h"
#include "apiserver/server/openid_documents.h"
#include "apiserver/server/resource_endpoints.h"
#include "apiserver/server/token_authentication.h"
#include "apiserver/strategy/admin_namespaces.h"
#include "base/file.h"
#include "base/random.h"
#include "net/server.h"
#include "store/memory_store.h"
#include "store/rocks_store.h"

namespace plimsoll::apiserver {
namespace {

// Identity of the in-process client that creates the default objects.
const net::LocalIdentity kSelf{"system:apiserver", {"system:masters"}};

Result<std::unique_ptr<store::Store>> OpenStore(const InstanceOptions& options, Clock& clock,
                                                Logger& log, MetricsRegistry& metrics) {
  if (!options.etcd.endpoints.empty()) {
    return store::OpenEtcdStore(options.etcd, clock, log, &metrics);
  }
  if (options.is_stored_in_memory) return std::make_unique<store::MemoryStore>(clock);
  return store::OpenRocksStore({.directory = options.data_directory + "/store",
                                .accepts_data_loss = options.accepts_data_loss,
                                .quota_bytes = options.quota_bytes,
                                .scrub_interval = options.scrub_interval},
                               clock, log, &metrics);
}

/// Returns nullopt if encryption at rest is off.
Result<std::optional<EncryptionConfig>> ReadEncryption(const InstanceOptions& options) {
  if (options.encryption_config.empty()) return std::nullopt;
  return PL_TRY(EncryptionConfig::Load(options.encryption_config));
}

std::unique_ptr<WebhookAuthorizer> MakeWebhook(const AuthorizationOptions& options,
                                               const Clock& clock, Logger& log) {
  if (!options.webhook) return nullptr;
  return std::make_unique<WebhookAuthorizer>(options, clock, log);
}

/// Audit log and the observer that feeds it. Both are null if the audit log is off.
struct Audit {
  std::unique_ptr<AuditLog> log;
  std::unique_ptr<RequestAudit> requests;
};

Result<AuditPolicy> ReadAuditPolicy(const AuditOptions& options) {
  if (options.policy_file.empty()) return AuditPolicy::Default();
  Result<AuditPolicy> read = AuditPolicy::Parse(PL_TRY(ReadFile(options.policy_file)));
  if (!read) {
    return Fail(Reason::Invalid, fmt::format("loading audit policy file: {}: from file {}",
                                             read.error().message, options.policy_file));
  }
  return read;
}

Result<Audit> OpenAudit(const AuditOptions& options, Clock& clock, Logger& log,
                        MetricsRegistry& metrics) {
  Audit audit;
  if (options.log.path.empty()) return audit;
  AuditPolicy policy = PL_TRY(ReadAuditPolicy(options));
  audit.log = PL_TRY(AuditLog::Open(options.log, clock, log, metrics));
  audit.requests =
      std::make_unique<RequestAudit>(options, std::move(policy), *audit.log, clock, metrics);
  return audit;
}

}  // namespace

/// All parts. Each follows the parts it uses, so that destruction runs in the opposite order.
class Instance::Parts {
 public:
  Parts(const InstanceOptions& options, Clock& clock, Logger& log, MetricsRegistry& metrics,
        std::unique_ptr<store::Store> store, std::unique_ptr<Cache> cache,
        std::unique_ptr<ResourceTable> resources, std::unique_ptr<Identity> identity,
        std::unique_ptr<TokenAuthentication> tokens, Audit audit,
        std::unique_ptr<ServingCredentials> credentials, std::uint16_t port)
      : options_(options),
        clock_(clock),
        log_(log),
        credentials_(std::move(credentials)),
        resources_(std::move(resources)),
        store_(std::move(store)),
        cache_(std::move(cache)),
        audit_(std::move(audit)),
        random_(options.seed + 1),  // differs from the seed of the identities
        identity_(std::move(identity)),
        tokens_(std::move(tokens)),
        account_tokens_(tokens_->service_accounts()),
        authenticator_(tokens_->tokens(), account_tokens_.audiences(), tokens_->anonymous()),
        rbac_(*cache_, *resources_),
        node_references_(*cache_, *resources_),
        node_authorizer_([this](auto&&... what) { return node_references_.Has(what...); },
                         DefaultRulesOf("system:node")),
        webhook_authorizer_(MakeWebhook(options.authorization, clock, log)),
        authorizer_(ChainOf(options.authorization, node_authorizer_, rbac_, rbac_,
                            webhook_authorizer_.get())),
        judges_{authorizer_, authorizer_,
                [this](const RoleRef& role, std::string_view namespace_) {
                  return rbac_.RulesOf(role, namespace_);
                }},
        admission_(
            MakeAdmissionChain(*cache_, *resources_, judges_, options.admission, {clock, metrics})),
        expressions_(metrics),
        admin_namespaces_(*cache_, *resources_->Find("", "v1", "namespaces")),
        reservations_(*store_, *cache_, clock),
        services_(*cache_, *resources_->Find("", "v1", "services"), random_.Next(),
                  store_->IsShared() ? &reservations_ : nullptr),
        writer_(WriteParts{*store_,
                           *cache_,
                           *resources_,
                           authorizer_,
                           clock,
                           *identity_,
                           services_,
                           {options.gates, &expressions_, &admin_namespaces_},
                           Borrowed(admission_),
                           [this](std::string_view key) {
                             return encrypted_ != nullptr &&
                                    encrypted_->IsStale(key).value_or(false);
                           }}),
        reader_(*cache_, *store_, clock, metrics, random_.Next()),
        request_metrics_(metrics),
        fairness_(SeededBy(options.fairness, random_.Next()), clock, metrics,
                  [this](const Resource& resource) {
                    return resource.is_stored() ? cache_->Count(resource) : 0;
                  }),
        fairness_feed_(*cache_, *resources_, fairness_),
        health_(log),
        impersonation_(authorizer_),
        documents_(*resources_, *cache_, metrics, fmt::format("{}:{}", options.address, port),
                   options.gates),
        openid_(account_tokens_, JwksUri(options, port)),
        endpoints_({reader_,
                    writer_,
                    documents_,
                    openid_,
                    account_tokens_,
                    {tokens_->tokens(), account_tokens_.audiences(), authorizer_, authorizer_},
                    clock}),
        workers_(1),
        events_(*store_, *cache_, *resources_->Find("", "v1", "events"), clock, log, workers_,
                options.event_lifetime) {
    health_.AddLive({"ping", [] { return Status(); }});
    health_.AddLive({"log", [] { return Status(); }});
    // Probes and dashboards know this check as `etcd`, whichever the storage engine.
    health_.AddLive({"etcd", [this] { return store_->Health(); }});
    health_.AddReady({"storage-quota", [this] { return store_->Space(); }});
    health_.AddReady({"poststarthook/rbac/bootstrap-roles", [this]() -> Status {
                        if (is_bootstrapped_) return {};
                        return Fail(Reason::ServiceUnavailable, "not finished");
                      }});
    api_server_.emplace(ApiServerParts{.resources = *resources_,
                                       .clock = clock,
                                       .log = log,
                                       .authenticator = authenticator_,
                                       .impersonation = impersonation_,
                                       .authorizer = authorizer_,
                                       .endpoints = endpoints_,
                                       .health = health_,
                                       .metrics = request_metrics_,
                                       .fairness = fairness_,
                                       .audit = audit_.requests.get(),
                                       .bodies = options.bodies,
                                       .watches_per_user_max = options.watches_per_user_max,
                                       .seed = random_.Next(),
                                       .is_store_remote = !options.etcd.endpoints.empty(),
                                       .profiling = options.has_profiling ? &profiling_ : nullptr});
    loopback_port_.emplace(*api_server_);
  }

  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    reloader_.reset();
    insecure_server_.reset();
    server_.reset();
    AwaitClock();
  }

  /// Call before Open.
  void UseEncryption(EncryptedStore& store, MetricsRegistry& metrics) {
    encrypted_ = &store;
    if (!options_.reloads_encryption_config) return;
    reloadables_.push_back(
        EncryptionConfigReload(options_.encryption_config, store, clock_, metrics));
  }

  /// Opens the port after the default objects have been created.
  Status Open(net::BoundPort port) {
    const auto transport = net::ConnectLocally(*api_server_, kSelf);
    LocalBootstrap bootstrap(*transport, *resources_);
    const BootstrapOptions system{.port = port.number(),
                                  .client_ca_pem = credentials_->tls().client_ca_pem,
                                  .now = clock_.Now()};
    PL_TRY(Bootstrap(bootstrap, system));
    is_bootstrapped_ = true;
    keeper_transport_ = net::ConnectLocally(*api_server_, kSelf);
    keeper_.emplace(std::make_unique<LocalBootstrap>(*keeper_transport_, *resources_), system,
                    *cache_, *resources_, fairness_feed_, clock_, log_, workers_);

    net::ServerOptions listen;
    listen.threads = options_.threads;
    listen.connections.total_max = options_.connections_max;
    listen.connections.per_address_max = options_.connections_per_address_max;
    listen.tls = credentials_->tls();
    server_ = PL_TRY(net::Server::Start(std::move(port), listen, *api_server_, log_));
    if (options_.insecure_port != 0) PL_TRY(OpenLoopbackPort(listen));
    PL_TRY(WriteKubeconfigs());
    std::ranges::move(tokens_->Reloadables(), std::back_inserter(reloadables_));
    reloadables_.push_back({.name = "certificates",
                            .files = credentials_->Files(),
                            .period = options_.renewal_period,
                            .reload = [this] { return RefreshCertificates(); }});
    reloader_.emplace(std::move(reloadables_), clock_, workers_, log_);
    reloader_->Start();
    return {};
  }

  Status OpenLoopbackPort(net::ServerOptions listen) {
    net::BoundPort port = PL_TRY(net::BoundPort::Bind("127.0.0.1", options_.insecure_port));
    loopback_port_->SetPort(port.number());
    listen.tls.reset();
    listen.connections = {.total_max = kLoopbackConnectionsMax,
                          .per_address_max = kLoopbackConnectionsMax};
    insecure_server_ = PL_TRY(net::Server::Start(std::move(port), listen, *loopback_port_, log_));
    PL_LOG(log_, Warning(),
           "The insecure port is open: every process of this machine is cluster administrator "
           "without a login",
           {"address", "127.0.0.1"}, {"port", insecure_server_->port()});
    return {};
  }

  void Reload() { reloader_->ReloadAll(); }

  net::Handler& handler() { return *api_server_; }
  std::uint16_t port() const { return server_->port(); }
  std::uint16_t insecure_port() const {
    return insecure_server_ == nullptr ? std::uint16_t{0} : insecure_server_->port();
  }
  const std::string& kubeconfig_path() const { return kubeconfig_path_; }
  const ResourceTable& resources() const { return *resources_; }
  Cache& cache() { return *cache_; }

  void Drain(Duration timeout) {
    health_.BeginShutdown();
    reader_.EndWatches();
    if (insecure_server_ != nullptr) insecure_server_->Drain(timeout);
    server_->Drain(timeout);
    if (audit_.log != nullptr) audit_.log->Flush();
  }

 private:
  static FairnessOptions SeededBy(FairnessOptions options, std::uint64_t seed) {
    options.seed = seed;
    return options;
  }

  static std::vector<Admission*> Borrowed(const std::vector<std::unique_ptr<Admission>>& chain) {
    std::vector<Admission*> borrowed;
    for (const auto& gate : chain) borrowed.push_back(gate.get());
    return borrowed;
  }

  static std::string UrlOf(const InstanceOptions& options, std::uint16_t port) {
    const bool is_everywhere = options.address == "0.0.0.0" || options.address == "::";
    return fmt::format("https://{}:{}", is_everywhere ? "127.0.0.1" : options.address, port);
  }

  static std::string JwksUri(const InstanceOptions& options, std::uint16_t port) {
    const std::string& given = options.authentication.service_accounts.jwks_uri;
    return given.empty() ? UrlOf(options, port) + "/openid/v1/jwks" : given;
  }

  Status WriteKubeconfigs() const {
    for (const auto& [user, text] :
         credentials_->Kubeconfigs(UrlOf(options_, port()), options_.cluster_name)) {
      PL_TRY(WriteFile(fmt::format("{}/{}.kubeconfig", options_.data_directory, user), text));
    }
    return {};
  }

  /// New connections use the new certificate; open connections keep the old one. The reloader calls
  /// this on one thread at a time.
  Status RefreshCertificates() {
    if (PL_TRY(credentials_->Refresh())) are_certificates_new_ = true;
    if (!are_certificates_new_) return {};
    PL_TRY(server_->ReplaceTls(credentials_->tls()));
    PL_TRY(WriteKubeconfigs());
    are_certificates_new_ = false;
    return {};
  }

  /// Blocks until the clock's thread has destroyed the ended watches, which refer to members of
  /// this object. REQUIRES: the sockets are closed, so that no more watches end.
  void AwaitClock() {
    // Shared, as the clock's thread may still be in release() when acquire() returns.
    const auto passed = std::make_shared<std::binary_semaphore>(0);
    clock_.At(clock_.Now(), [passed] { passed->release(); });
    passed->acquire();
  }

  const InstanceOptions options_;
  Clock& clock_;
  Logger& log_;
  const std::unique_ptr<ServingCredentials> credentials_;
  const std::string kubeconfig_path_ = options_.data_directory + "/admin.kubeconfig";
  bool are_certificates_new_ = false;  // not yet served or written to the kubeconfigs
  std::atomic<bool> is_bootstrapped_ = false;
  std::unique_ptr<ResourceTable> resources_;
  std::unique_ptr<store::Store> store_;
  EncryptedStore* encrypted_ = nullptr;  // same object as store_; null: not encrypted
  std::vector<Reloadable> reloadables_;  // moved to the reloader when it starts
  std::unique_ptr<Cache> cache_;
  Audit audit_;
  Random random_;
  const std::unique_ptr<Identity> identity_;
  const std::unique_ptr<TokenAuthentication> tokens_;
  const ServiceAccountTokens& account_tokens_;
  RequestAuthenticator authenticator_;
  RbacAuthorizer rbac_;
  const NodeReferences node_references_;
  const NodeAuthorizer node_authorizer_;
  const std::unique_ptr<WebhookAuthorizer> webhook_authorizer_;  // null: not configured
  const AuthorizerChain authorizer_;
  const EscalationAuthorizers judges_;
  const std::vector<std::unique_ptr<Admission>> admission_;
  const MeteredExpressions expressions_;
  const LabelledNamespaces admin_namespaces_;
  SharedReservations reservations_;
  ServiceAddresses services_;
  Writer writer_;
  Reader reader_;
  RequestMetrics request_metrics_;
  Fairness fairness_;
  FairnessFeed fairness_feed_;
  Health health_;
  const HeaderImpersonation impersonation_;
  const Documents documents_;
  const OpenIdDocuments openid_;
  ResourceEndpoints endpoints_;
  WorkerPool workers_;
  EventExpiry events_;
  std::optional<ApiServer> api_server_;
  std::unique_ptr<net::Transport> keeper_transport_;
  std::optional<DefaultObjectsKeeper> keeper_;
  std::optional<LoopbackPort> loopback_port_;
  net::ProfilingPages profiling_;  // destroyed before the parts that its responses use
  std::unique_ptr<net::Server> server_;
  std::unique_ptr<net::Server> insecure_server_;
  std::optional<Reloader> reloader_;
};

Status Instance::Check(const InstanceOptions& options, Clock& clock, Logger& log) {
  PL_TRY(ServingCredentials::Check(options.serving));
  PL_TRY(ReadAuditPolicy(options.audit));
  PL_TRY(net::BoundPort::Bind(options.address, 0));
  PL_TRY(ReadEncryption(options));
  // Reads all files of authentication; the keys and objects of the data directory are not needed.
  PL_TRY(TokenAuthentication::Make(options.authentication,
                                   {.clock = clock,
                                    .log = log,
                                    .objects = {},
                                    .bootstrap_secrets = {},
                                    .new_id = {},
                                    .own_signing_key = PL_TRY(net::MakeSigningKey())}));
  return {};
}

Result<std::unique_ptr<Instance>> Instance::Start(const InstanceOptions& options, Clock& clock,
                                                  Logger& log, MetricsRegistry& metrics) {
  PL_TRY(MakeDirectory(options.data_directory));
  auto credentials = PL_TRY(ServingCredentials::Load(
      {options.data_directory + "/pki", options.names}, options.serving, clock, log));
  Audit audit = PL_TRY(OpenAudit(options.audit, clock, log, metrics));
  net::BoundPort port = PL_TRY(net::BoundPort::Bind(options.address, options.port));
  const std::optional<EncryptionConfig> encryption = PL_TRY(ReadEncryption(options));
  auto resources = std::make_unique<ResourceTable>(options.runtime_config);
  auto store = PL_TRY(OpenStore(options, clock, log, metrics));
  EncryptedStore* encrypted = nullptr;
  if (encryption) {
    auto wrapped =
        std::make_unique<EncryptedStore>(std::move(store), *encryption, *resources, &metrics);
    encrypted = wrapped.get();
    store = std::move(wrapped);
  }
  auto cache = PL_TRY(Cache::Start(*store, *resources, clock, log, metrics));
  Random random(options.seed);
  auto identity = std::make_unique<Identity>(random.Next());
  auto tokens = PL_TRY(TokenAuthentication::Make(
      options.authentication, {.clock = clock,
                               .log = log,
                               .objects = BoundObjectsIn(*cache, *resources),
                               .bootstrap_secrets = BootstrapSecretsIn(*cache, *resources),
                               .new_id = [&of = *identity] { return of.NewUid(); },
                               .own_signing_key = credentials->signing_key()}));
  auto parts =
      std::make_unique<Parts>(options, clock, log, metrics, std::move(store), std::move(cache),
                              std::move(resources), std::move(identity), std::move(tokens),
                              std::move(audit), std::move(credentials), port.number());
  if (encrypted != nullptr) parts->UseEncryption(*encrypted, metrics);
  PL_TRY(parts->Open(std::move(port)));
  return std::unique_ptr<Instance>(new Instance(std::move(parts)));
}

Instance::Instance(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Instance::~Instance() = default;

net::Handler& Instance::handler() { return parts_->handler(); }

std::uint16_t Instance::port() const { return parts_->port(); }

std::uint16_t Instance::insecure_port() const { return parts_->insecure_port(); }

const std::string& Instance::kubeconfig_path() const { return parts_->kubeconfig_path(); }

const ResourceTable& Instance::resources() const { return parts_->resources(); }

Cache& Instance::cache() { return parts_->cache(); }

void Instance::Reload() { parts_->Reload(); }

void Instance::Drain(Duration timeout) { parts_->Drain(timeout); }

}  // namespace plimsoll::apiserver
