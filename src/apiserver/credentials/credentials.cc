#include "apiserver/credentials/credentials.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/text/base64.h"
#include "codec/yaml.h"
#include "net/server.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kAuthorityLifetime = std::chrono::hours(24 * 365 * 10);
constexpr Duration kLeafLifetime = std::chrono::hours(24 * 365);
constexpr Duration kRenewBefore = std::chrono::hours(24 * 30);
// A client whose clock is slightly behind must not see a certificate from the future.
constexpr Duration kBackdate = std::chrono::hours(1);

/// Reads `<stem>.crt` and `<stem>.key`. Returns nullopt if one of them does not exist.
Result<std::optional<net::KeyPair>> ReadPair(const std::string& stem) {
  net::KeyPair pair;
  for (const auto& [file, text] :
       {std::pair(stem + ".crt", &pair.certificate_pem), std::pair(stem + ".key", &pair.key_pem)}) {
    Result<std::string> read = ReadFile(file);
    if (!read && read.error().reason == Reason::NotFound) return std::nullopt;
    *text = PL_TRY(std::move(read));
  }
  return pair;
}

Status WritePair(const std::string& stem, const net::KeyPair& pair) {
  PL_TRY(WriteFile(stem + ".key", pair.key_pem));
  return WriteFile(stem + ".crt", pair.certificate_pem);
}

class Keeper {
 public:
  Keeper(const CredentialOptions& options, const Clock& clock, Logger& log)
      : options_(options), now_(clock.Now()), log_(log) {}

  Result<net::KeyPair> Authority() {
    if (auto pair = PL_TRY(ReadPair(Path("ca")))) {
      // An unreadable authority is not replaced: every client that trusts it would be cut off.
      PL_TRY(net::ReadCertificate(pair->certificate_pem));
      return *std::move(pair);
    }
    net::KeyPair pair =
        PL_TRY(net::MakeAuthority("plimsoll-ca", now_ - kBackdate, kAuthorityLifetime));
    PL_TRY(WritePair(Path("ca"), pair));
    PL_LOG(log_, Info(), "Created a certificate authority", {"directory", options_.directory});
    return pair;
  }

  Result<net::KeyPair> Leaf(const net::KeyPair& authority, const std::string& file,
                            net::CertificateRequest request) {
    if (auto pair = PL_TRY(ReadPair(Path(file)))) {
      if (IsGood(*pair, request)) return *std::move(pair);
    }
    request.not_before = now_ - kBackdate;
    request.lifetime = kLeafLifetime;
    net::KeyPair pair = PL_TRY(net::IssueCertificate(authority, request));
    PL_TRY(WritePair(Path(file), pair));
    PL_LOG(log_, Info(), "Issued a certificate", {"file", Path(file) + ".crt"});
    return pair;
  }

  Result<std::string> SigningKey() {
    Result<std::string> key = ReadFile(Path("sa.key"));
    if (key || key.error().reason != Reason::NotFound) return key;
    std::string made = PL_TRY(net::MakeSigningKey());
    PL_TRY(WriteFile(Path("sa.key"), made));
    return made;
  }

 private:
  std::string Path(std::string_view file) const {
    return fmt::format("{}/{}", options_.directory, file);
  }

  bool IsGood(const net::KeyPair& pair, const net::CertificateRequest& request) const {
    const Result<net::CertificateFacts> facts = net::ReadCertificate(pair.certificate_pem);
    if (!facts || facts->not_after < now_ + kRenewBefore) return false;
    // A crash between the two writes leaves a new key beside an old certificate.
    if (!net::CheckTls({pair.certificate_pem, pair.key_pem, {}})) return false;
    return std::ranges::all_of(request.names, [&](const std::string& name) {
      return std::ranges::find(facts->names, name) != facts->names.end();
    });
  }

  const CredentialOptions& options_;
  const Instant now_;
  Logger& log_;
};

}  // namespace

Result<Credentials> LoadOrMakeCredentials(const CredentialOptions& options, const Clock& clock,
                                          Logger& log) {
  Keeper keeper(options, clock, log);
  Credentials credentials;
  credentials.authority = PL_TRY(keeper.Authority());
  net::CertificateRequest server{.common_name = "plimsoll-apiserver", .names = options.names};
  for (const std::string_view name :
       {"localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default",
        "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"}) {
    if (std::ranges::find(server.names, name) == server.names.end()) {
      server.names.emplace_back(name);
    }
  }
  credentials.server = PL_TRY(keeper.Leaf(credentials.authority, "apiserver", std::move(server)));
  credentials.admin =
      PL_TRY(keeper.Leaf(credentials.authority, "admin",
                         {.common_name = "kubernetes-admin", .organizations = {"system:masters"}}));
  credentials.scheduler = PL_TRY(
      keeper.Leaf(credentials.authority, "scheduler", {.common_name = "system:kube-scheduler"}));
  credentials.controller_manager =
      PL_TRY(keeper.Leaf(credentials.authority, "controller-manager",
                         {.common_name = "system:kube-controller-manager"}));
  credentials.signing_key = PL_TRY(keeper.SigningKey());
  return credentials;
}

std::string KubeconfigText(const KubeconfigEntry& entry) {
  // Quotes a name that YAML would read as a number or a boolean.
  std::string cluster = codec::WriteYaml(codec::Value::String(entry.cluster));
  while (cluster.ends_with('\n')) cluster.pop_back();
  return fmt::format(
      R"(apiVersion: v1
kind: Config
clusters:
- name: {0}
  cluster:
    server: {1}
    certificate-authority-data: {2}
users:
- name: {0}
  user:
    client-certificate-data: {3}
    client-key-data: {4}
contexts:
- name: {0}
  context:
    cluster: {0}
    user: {0}
current-context: {0}
)",
      cluster, entry.server, EncodeBase64(entry.authority_pem),
      EncodeBase64(entry.client.certificate_pem), EncodeBase64(entry.client.key_pem));
}

}  // namespace plimsoll::apiserver
