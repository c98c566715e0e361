#include "apiserver/server/token_authentication.h"

#include <utility>

#include "apiserver/authn/issuer_keys.h"
#include "base/file.h"

namespace plimsoll::apiserver {
namespace {

std::unexpected<Error> InFile(const std::string& path, const Error& error) {
  return Fail(Reason::Invalid, path + ": " + error.Text());
}

Result<TokenFile> ReadTokenFile(const std::string& path) {
  return TokenFile::Parse(path, path.empty() ? std::string() : PL_TRY(ReadFile(path)));
}

Result<ServiceAccountKeysPtr> ReadKeys(const ServiceAccountOptions& options,
                                       const std::string& own_signing_key) {
  std::string signing = own_signing_key;
  if (!options.signing_key_file.empty()) {
    signing = PL_TRY(ReadFile(options.signing_key_file));
    const Result<net::SigningKey> key = net::SigningKey::ReadPem(signing);
    if (!key) return InFile(options.signing_key_file, key.error());
  }
  std::vector<std::string> verifying;
  for (const std::string& path : options.key_files) {
    verifying.push_back(PL_TRY(ReadFile(path)));
    const Result<std::vector<net::VerifyingKey>> keys =
        net::VerifyingKey::ReadPem(verifying.back());
    if (!keys) return InFile(path, keys.error());
  }
  return ReadServiceAccountKeys(signing, verifying);
}

ServiceAccountTokenOptions TokenOptionsOf(const AuthenticationOptions& options,
                                          ServiceAccountKeysPtr keys) {
  ServiceAccountTokenOptions tokens;
  if (!options.service_accounts.issuers.empty()) tokens.issuers = options.service_accounts.issuers;
  tokens.audiences = options.api_audiences;
  tokens.keys = std::move(keys);
  tokens.lifetime_max = options.service_accounts.token_lifetime_max;
  return tokens;
}

/// Reads the flags or the configuration file. `issuers` are those of service-account tokens.
Result<AuthenticationConfig> ReadConfig(const AuthenticationOptions& options,
                                        std::span<const std::string> issuers) {
  AuthenticationConfig config;
  const bool has_flags = options.oidc != OidcFlags();
  if (options.config_file.empty()) {
    if (!has_flags) return config;
    std::string ca_pem;
    if (!options.oidc.ca_file.empty()) ca_pem = PL_TRY(ReadFile(options.oidc.ca_file));
    config.jwt.push_back(PL_TRY(JwtConfigOf(options.oidc, std::move(ca_pem))));
  } else {
    if (has_flags) {
      return Fail(Reason::Invalid,
                  "authentication-config file and oidc-* flags are mutually exclusive");
    }
    Result<AuthenticationConfig> parsed =
        ParseAuthenticationConfig(PL_TRY(ReadFile(options.config_file)));
    if (!parsed) return InFile(options.config_file, parsed.error());
    config = *std::move(parsed);
  }
  if (config.anonymous && options.anonymous) {
    return Fail(Reason::Invalid,
                "--anonymous-auth flag cannot be set when anonymous field is configured in "
                "authentication configuration file");
  }
  const api::FieldErrors faults = ValidateAuthenticationConfig(config, issuers);
  if (faults.empty()) return config;
  const std::string where = options.config_file.empty() ? "--oidc-…" : options.config_file;
  return Fail(Reason::Invalid, where + ": " + faults.Text());
}

}  // namespace

TokenAuthentication::TokenAuthentication(const AuthenticationOptions& options,
                                         TokenAuthenticationParts parts, TokenFile token_file,
                                         ServiceAccountKeysPtr keys)
    : options_(options),
      own_signing_key_(std::move(parts.own_signing_key)),
      token_file_(std::move(token_file)),
      service_accounts_(TokenOptionsOf(options, std::move(keys)), parts.clock,
                        std::move(parts.objects), std::move(parts.new_id)),
      bootstrap_(std::move(parts.bootstrap_secrets), parts.clock, audiences()),
      jwt_(audiences(), FetchOverHttps, parts.clock, parts.log),
      webhook_(MakeWebhookTokens(options.webhook, parts.clock, parts.log)),
      tokens_(Members()) {}

Status TokenAuthentication::Configure() {
  const AuthenticationConfig config = PL_TRY(ReadConfig(options_, service_accounts_.issuers()));
  if (config.anonymous) anonymous_ = *config.anonymous;
  if (options_.anonymous) anonymous_.is_enabled = *options_.anonymous;
  return jwt_.Replace(config.jwt);
}

std::vector<Reloadable> TokenAuthentication::Reloadables() {
  std::vector<std::string> files = options_.service_accounts.key_files;
  files.push_back(options_.service_accounts.signing_key_file);
  std::vector<Reloadable> all;
  all.push_back({.name = "service-account keys",
                 .files = std::move(files),
                 .period = {},
                 .reload = [this]() -> Status {
                   service_accounts_.ReplaceKeys(
                       PL_TRY(ReadKeys(options_.service_accounts, own_signing_key_)));
                   return {};
                 }});
  all.push_back({.name = "authentication configuration",
                 .files = {options_.config_file, options_.oidc.ca_file},
                 .period = {},
                 .reload = [this]() -> Status {
                   return jwt_.Replace(
                       PL_TRY(ReadConfig(options_, service_accounts_.issuers())).jwt);
                 }});
  all.push_back({.name = "keys of OIDC issuers",
                 .files = {},
                 .period = kKeysTryPeriod,
                 .reload = [this]() -> Status {
                   jwt_.FetchKeys();
                   return {};
                 }});
  return all;
}

std::unique_ptr<WebhookTokens> TokenAuthentication::MakeWebhookTokens(
    const TokenWebhookOptions& options, const Clock& clock, Logger& log) const {
  if (!options.server) return nullptr;
  return std::make_unique<WebhookTokens>(options, audiences(), clock, log);
}

std::vector<const TokenAuthenticator*> TokenAuthentication::Members() const {
  std::vector<const TokenAuthenticator*> members{&token_file_, &service_accounts_};
  if (options_.has_bootstrap_tokens) members.push_back(&bootstrap_);
  members.push_back(&jwt_);
  if (webhook_ != nullptr) members.push_back(webhook_.get());
  return members;
}

Result<std::unique_ptr<TokenAuthentication>> TokenAuthentication::Make(
    const AuthenticationOptions& options, TokenAuthenticationParts parts) {
  TokenFile token_file = PL_TRY(ReadTokenFile(options.token_file));
  ServiceAccountKeysPtr keys = PL_TRY(ReadKeys(options.service_accounts, parts.own_signing_key));
  std::unique_ptr<TokenAuthentication> made(
      new TokenAuthentication(options, std::move(parts), std::move(token_file), std::move(keys)));
  PL_TRY(made->Configure());
  return made;
}

}  // namespace plimsoll::apiserver
