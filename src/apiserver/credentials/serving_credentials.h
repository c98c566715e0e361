#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "apiserver/credentials/credentials.h"
#include "net/server.h"

namespace plimsoll::apiserver {

/// Files that the user provides instead of the generated certificates.
struct ServingFiles {
  std::string certificate;  // --tls-cert-file; empty: the generated one
  std::string key;          // --tls-private-key-file
  std::string client_ca;    // --client-ca-file, trusted in addition to the generated authority
};

/// Serving certificate of the server and the authorities whose clients it trusts. Generates and
/// renews its own certificates, and reads those of the user. Safe for use by many threads.
class ServingCredentials {
 public:
  /// Reads or makes all credentials. Invalid: a file is not usable. The references must outlive it.
  static Result<std::unique_ptr<ServingCredentials>> Load(const CredentialOptions& options,
                                                          const ServingFiles& files,
                                                          const Clock& clock, Logger& log);

  /// Returns Invalid if the user's files are not usable. Reads no other files.
  static Status Check(const ServingFiles& files);

  /// Renews certificates that expire soon and reads the files again. Returns true if `tls()` or a
  /// kubeconfig has changed. On an error the old state stays.
  Result<bool> Refresh();

  net::ServerTls tls() const;
  /// Returns the signing key of service accounts from the data directory.
  std::string signing_key() const;
  struct Kubeconfig {
    std::string user;  // admin, scheduler, controller-manager
    std::string text;
  };
  /// Returns the kubeconfigs for this address of the server, such as https://127.0.0.1:6443, with
  /// this name for the cluster, its user and its context. The administrator's is last: programs
  /// that wait for the server wait for its file.
  std::vector<Kubeconfig> Kubeconfigs(const std::string& server, const std::string& cluster) const;
  /// Returns the names of all files that Refresh reads.
  std::vector<std::string> Files() const;

 private:
  struct State {
    Credentials own;
    net::ServerTls tls;
    std::string serving_ca_pem;  // authority with which clients verify the server
  };

  ServingCredentials(CredentialOptions options, ServingFiles files, const Clock& clock, Logger& log)
      : options_(std::move(options)), files_(std::move(files)), clock_(clock), log_(log) {}
  Result<State> Read() const;

  const CredentialOptions options_;
  const ServingFiles files_;
  const Clock& clock_;
  Logger& log_;
  mutable std::mutex mutex_;  // guards state_
  State state_;
};

}  // namespace plimsoll::apiserver
