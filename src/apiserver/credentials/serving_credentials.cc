#include "apiserver/credentials/serving_credentials.h"

#include <array>
#include <utility>

#include "base/file.h"

namespace plimsoll::apiserver {
namespace {

/// Returns the client certificates in the kubeconfigs.
std::array<std::string, 3> CertificatesOf(const Credentials& own) {
  return {own.admin.certificate_pem, own.scheduler.certificate_pem,
          own.controller_manager.certificate_pem};
}

Status CheckTogether(const ServingFiles& files) {
  if (files.certificate.empty() == files.key.empty()) return {};
  return Fail(Reason::Invalid, "--tls-cert-file and --tls-private-key-file must be given together");
}

/// Replaces the certificate and key, and adds the authorities of clients, for files that are named.
Status ReadServingFiles(const ServingFiles& files, net::ServerTls& tls) {
  if (!files.certificate.empty()) {
    tls.certificate_pem = PL_TRY(ReadFile(files.certificate));
    tls.key_pem = PL_TRY(ReadFile(files.key));
  }
  if (!files.client_ca.empty()) {
    const std::string others = PL_TRY(ReadFile(files.client_ca));
    if (!net::ReadCertificate(others)) {
      return Fail(Reason::Invalid,
                  files.client_ca + ": data does not contain any valid certificates");
    }
    tls.client_ca_pem += others;
  }
  return {};
}

}  // namespace

Status ServingCredentials::Check(const ServingFiles& files) {
  PL_TRY(CheckTogether(files));
  net::ServerTls tls;
  PL_TRY(ReadServingFiles(files, tls));
  return files.certificate.empty() ? Status() : net::CheckTls(tls);
}

Result<std::unique_ptr<ServingCredentials>> ServingCredentials::Load(
    const CredentialOptions& options, const ServingFiles& files, const Clock& clock, Logger& log) {
  PL_TRY(CheckTogether(files));
  std::unique_ptr<ServingCredentials> made(new ServingCredentials(options, files, clock, log));
  made->state_ = PL_TRY(made->Read());
  return made;
}

Result<ServingCredentials::State> ServingCredentials::Read() const {
  State state;
  state.own = PL_TRY(LoadOrMakeCredentials(options_, clock_, log_));
  state.tls = {state.own.server.certificate_pem, state.own.server.key_pem,
               state.own.authority.certificate_pem};
  state.serving_ca_pem = state.own.authority.certificate_pem;
  PL_TRY(ReadServingFiles(files_, state.tls));
  // The issuer of the user's certificate is unknown, so clients get the certificate itself to
  // trust.
  if (!files_.certificate.empty()) state.serving_ca_pem = state.tls.certificate_pem;
  PL_TRY(net::CheckTls(state.tls));
  return state;
}

Result<bool> ServingCredentials::Refresh() {
  State state = PL_TRY(Read());
  const std::scoped_lock lock(mutex_);
  const bool has_changed = state.tls.certificate_pem != state_.tls.certificate_pem ||
                           state.tls.key_pem != state_.tls.key_pem ||
                           state.tls.client_ca_pem != state_.tls.client_ca_pem ||
                           CertificatesOf(state.own) != CertificatesOf(state_.own);
  state_ = std::move(state);
  return has_changed;
}

net::ServerTls ServingCredentials::tls() const {
  const std::scoped_lock lock(mutex_);
  return state_.tls;
}

std::string ServingCredentials::signing_key() const {
  const std::scoped_lock lock(mutex_);
  return state_.own.signing_key;
}

std::vector<ServingCredentials::Kubeconfig> ServingCredentials::Kubeconfigs(
    const std::string& server, const std::string& cluster) const {
  const std::scoped_lock lock(mutex_);
  const auto write = [&](std::string user, const net::KeyPair& client) {
    return Kubeconfig{std::move(user),
                      KubeconfigText({cluster, server, state_.serving_ca_pem, client})};
  };
  return {write("scheduler", state_.own.scheduler),
          write("controller-manager", state_.own.controller_manager),
          write("admin", state_.own.admin)};
}

std::vector<std::string> ServingCredentials::Files() const {
  std::vector<std::string> files{files_.certificate, files_.key, files_.client_ca};
  for (const char* const name : {"ca.crt", "ca.key", "apiserver.crt", "apiserver.key", "admin.crt",
                                 "scheduler.crt", "controller-manager.crt"}) {
    files.push_back(options_.directory + "/" + name);
  }
  return files;
}

}  // namespace plimsoll::apiserver
