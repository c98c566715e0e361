#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "apiserver/credentials/credentials.h"
#include "net/server.h"

namespace plimsoll::apiserver {

/// Files of others, in place of what the server makes itself.
struct ServingFiles {
  std::string certificate;  // --tls-cert-file; empty: the server's own
  std::string key;          // --tls-private-key-file
  std::string client_ca;    // --client-ca-file, trusted beside the server's own authority
};

/// What the server shows to clients, and whose clients it trusts. It makes and renews its own
/// certificates, and reads those of others. Safe for use by many threads.
class ServingCredentials {
 public:
  /// Reads and makes everything. Invalid when a file is not usable. The references must outlive it.
  static Result<std::unique_ptr<ServingCredentials>> Load(const CredentialOptions& options,
                                                          const ServingFiles& files,
                                                          const Clock& clock, Logger& log);

  /// Renews what is about to expire and reads the files again. True: `tls()` or a kubeconfig has
  /// changed. On an error the old state stays.
  Result<bool> Refresh();

  net::ServerTls tls() const;
  /// The service accounts' key in the data directory.
  std::string signing_key() const;
  struct Kubeconfig {
    std::string user;  // admin, scheduler, controller-manager
    std::string text;
  };
  /// Returns the kubeconfigs for this address of the server, such as https://127.0.0.1:6443. The
  /// administrator's is last: programs that wait for the server wait for its file.
  std::vector<Kubeconfig> Kubeconfigs(const std::string& server) const;
  /// All files that Refresh reads.
  std::vector<std::string> Files() const;

 private:
  struct State {
    Credentials own;
    net::ServerTls tls;
    std::string serving_ca_pem;  // by which clients know the server
  };

  ServingCredentials(CredentialOptions options, ServingFiles files, const Clock& clock, Logger& log)
      : options_(std::move(options)), files_(std::move(files)), clock_(clock), log_(log) {}
  Result<State> Read() const;

  const CredentialOptions options_;
  const ServingFiles files_;
  const Clock& clock_;
  Logger& log_;
  mutable std::mutex mutex_;  // of the state
  State state_;
};

}  // namespace plimsoll::apiserver
