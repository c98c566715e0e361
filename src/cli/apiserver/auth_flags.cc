#include "cli/apiserver/auth_flags.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/flags/choice.h"
#include "cli/flags/duration_flag.h"
#include "client/kubeconfig.h"

namespace plimsoll::cli {
namespace {

// Webhook responses contain at most the groups of a user.
constexpr std::size_t kWebhookBytesMax = 256u << 10;

void AddCertificateFlags(CLI::App& command, apiserver::ServingFiles& files) {
  command
      .add_option(
          "--tls-cert-file", files.certificate,
          "Serving certificate with its chain. Without this flag the server creates its own")
      ->type_name("FILE");
  command.add_option("--tls-private-key-file", files.key, "Private key of --tls-cert-file")
      ->type_name("FILE");
  command
      .add_option("--client-ca-file", files.client_ca,
                  "CA that verifies client certificates, in addition to the server's own CA")
      ->type_name("FILE");
}

void AddServiceAccountFlags(CLI::App& command, apiserver::AuthenticationOptions& options) {
  apiserver::ServiceAccountOptions& accounts = options.service_accounts;
  command
      .add_option("--service-account-key-file", accounts.key_files,
                  "File with public or private keys that verify service-account tokens")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command
      .add_option("--service-account-signing-key-file", accounts.signing_key_file,
                  "File with the private key that signs service-account tokens. Without this flag "
                  "pki/sa.key in the data directory")
      ->type_name("FILE");
  command
      .add_option("--service-account-issuer", accounts.issuers,
                  "Issuer of service-account tokens. New tokens name the first one; tokens of all "
                  "are accepted")
      ->allow_extra_args(false)
      ->type_name("URL");
  command
      .add_option("--service-account-jwks-uri", accounts.jwks_uri,
                  "URL at which clients find the public keys. Without this flag /openid/v1/jwks of "
                  "this server")
      ->type_name("URL");
  command
      .add_option(
          "--api-audiences", options.api_audiences,
          "Audiences of this server in tokens, separated by commas. Without this flag the issuers")
      ->delimiter(',')
      ->type_name("LIST");
}

void AddOidcFlags(CLI::App& command, apiserver::OidcFlags& oidc) {
  command
      .add_option("--oidc-issuer-url", oidc.issuer_url,
                  "URL of the OpenID Connect issuer; it must begin with https://")
      ->type_name("URL");
  command
      .add_option("--oidc-client-id", oidc.client_id,
                  "Client ID that OpenID Connect tokens must have as audience")
      ->type_name("ID");
  command
      .add_option("--oidc-ca-file", oidc.ca_file,
                  "CA that verifies the certificate of the OpenID Connect issuer")
      ->type_name("FILE");
  command
      .add_option("--oidc-username-claim", oidc.username_claim,
                  "Claim of the token that is the user name")
      ->type_name("CLAIM");
  command
      .add_option(
          "--oidc-username-prefix", oidc.username_prefix,
          "Prefix of user names. Without this flag the issuer's URL and #; - means no prefix")
      ->type_name("PREFIX");
  command
      .add_option("--oidc-groups-claim", oidc.groups_claim,
                  "Claim of the token with the groups of the user")
      ->type_name("CLAIM");
  command.add_option("--oidc-groups-prefix", oidc.groups_prefix, "Prefix of the names of groups")
      ->type_name("PREFIX");
  command
      .add_option("--oidc-signing-algs", oidc.signing_algs,
                  "Accepted signature algorithms, separated by commas")
      ->delimiter(',')
      ->type_name("LIST");
  command
      .add_option("--oidc-required-claim", oidc.required_claims,
                  "Claim that tokens must have, with this value")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

void AddWebhookFlags(CLI::App& command, AuthFlags& flags) {
  command
      .add_option("--authentication-token-webhook-config-file", flags.token_webhook_config_file,
                  "Kubeconfig of the webhook that authenticates bearer tokens")
      ->type_name("FILE");
  command
      .add_option("--authentication-token-webhook-version", flags.authentication.webhook.version,
                  "Version of authentication.k8s.io in TokenReviews for the webhook")
      ->type_name("TEXT");
  RequireOneOf(command.get_option("--authentication-token-webhook-version"), {"v1", "v1beta1"});
  command
      .add_option("--authentication-token-webhook-cache-ttl", flags.token_webhook_cache_ttl,
                  "Time for which responses of the token webhook are cached")
      ->type_name("DURATION");
  command
      .add_option("--authorization-mode", flags.authorization_modes,
                  "Authorizers, separated by commas: Node, RBAC, Webhook, AlwaysAllow, AlwaysDeny. "
                  "The server asks them in this order")
      ->delimiter(',')
      ->type_name("LIST");
  command
      .add_option("--authorization-webhook-config-file", flags.authorization_webhook_config_file,
                  "Kubeconfig of the webhook that authorizes requests")
      ->type_name("FILE");
  command
      .add_option("--authorization-webhook-version", flags.authorization_webhook_version,
                  "Version of authorization.k8s.io in SubjectAccessReviews for the webhook")
      ->type_name("TEXT");
  RequireOneOf(command.get_option("--authorization-webhook-version"), {"v1", "v1beta1"});
  command
      .add_option("--authorization-webhook-cache-authorized-ttl", flags.authorized_ttl,
                  "Time for which positive responses of the authorization webhook are cached")
      ->type_name("DURATION");
  command
      .add_option("--authorization-webhook-cache-unauthorized-ttl", flags.unauthorized_ttl,
                  "Time for which negative responses of the authorization webhook are cached")
      ->type_name("DURATION");
}

Result<std::optional<apiserver::RemoteServer>> RemoteOf(std::string_view flag,
                                                        const std::string& kubeconfig) {
  if (kubeconfig.empty()) return std::optional<apiserver::RemoteServer>();
  Result<client::ClusterAccess> access = client::ResolveFile(kubeconfig);
  if (!access) {
    return Fail(Reason::Invalid, std::string(flag) + ": " + access.error().Text());
  }
  apiserver::RemoteServer remote;
  remote.transport =
      PL_TRY(net::ConnectTo(access->server, access->tls, {.body_bytes_max = kWebhookBytesMax},
                            std::move(access->tls_updates)));
  const std::size_t host = access->server.find("://") + 3;
  remote.target = access->server.find('/', host) == std::string::npos ? "/" : "";
  remote.headers = std::move(access->headers);
  remote.token = std::move(access->token);
  return std::optional(std::move(remote));
}

}  // namespace

void AddAuthFlags(CLI::App& command, AuthFlags& flags) {
  apiserver::AuthenticationOptions& authentication = flags.authentication;
  AddCertificateFlags(command, flags.serving);
  command
      .add_option("--token-auth-file", authentication.token_file,
                  "File with static tokens, one per line: token,user,uid,\"group1,group2\"")
      ->type_name("FILE");
  AddServiceAccountFlags(command, authentication);
  command.add_flag(
      "--enable-bootstrap-token-auth", authentication.has_bootstrap_tokens,
      "Accept tokens from Secrets of type bootstrap.kubernetes.io/token in kube-system");
  // A flag that is bound to an optional would set it even if the flag is not given.
  command.add_flag_function(
      "--anonymous-auth,!--no-anonymous-auth",
      [&authentication](std::int64_t sign) { authentication.anonymous = sign > 0; },
      "Accept requests without credentials as user system:anonymous. On by default");
  command
      .add_option("--authentication-config", authentication.config_file,
                  "AuthenticationConfiguration (apiserver.config.k8s.io/v1): OpenID Connect "
                  "issuers with CEL rules, and anonymous access")
      ->type_name("FILE");
  AddOidcFlags(command, authentication.oidc);
  AddWebhookFlags(command, flags);
}

Status SetAuthOptions(const AuthFlags& flags, apiserver::InstanceOptions& options) {
  options.serving = flags.serving;
  options.authentication = flags.authentication;
  apiserver::TokenWebhookOptions& webhook = options.authentication.webhook;
  webhook.server = PL_TRY(
      RemoteOf("--authentication-token-webhook-config-file", flags.token_webhook_config_file));
  webhook.cache_ttl = PL_TRY(
      ParseDurationFlag("--authentication-token-webhook-cache-ttl", flags.token_webhook_cache_ttl));
  apiserver::AuthorizationOptions& authorization = options.authorization;
  authorization.modes = flags.authorization_modes;
  authorization.webhook = PL_TRY(
      RemoteOf("--authorization-webhook-config-file", flags.authorization_webhook_config_file));
  authorization.webhook_version = flags.authorization_webhook_version;
  authorization.authorized_ttl = PL_TRY(
      ParseDurationFlag("--authorization-webhook-cache-authorized-ttl", flags.authorized_ttl));
  authorization.unauthorized_ttl = PL_TRY(
      ParseDurationFlag("--authorization-webhook-cache-unauthorized-ttl", flags.unauthorized_ttl));
  return apiserver::CheckAuthorizationOptions(authorization);
}

}  // namespace plimsoll::cli
