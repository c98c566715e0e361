#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "net/pki.h"

namespace plimsoll::apiserver {

struct CredentialOptions {
  std::string directory;           // <data-dir>/pki
  std::vector<std::string> names;  // of the server, in addition to localhost and 127.0.0.1
};

/// Certificates and keys of the server and of the clients that it issues credentials for.
struct Credentials {
  net::KeyPair authority;  // signs the certificates of the server and the clients
  net::KeyPair server;
  net::KeyPair admin;               // for the user in the kubeconfig, in system:masters
  net::KeyPair scheduler;           // system:kube-scheduler
  net::KeyPair controller_manager;  // system:kube-controller-manager
  std::string signing_key;          // for service-account tokens
};

/// Reads the credentials. Makes those that are missing, expire within a month, or lack a name.
/// Never replaces the authority: clients trust it. Only the owner can read the files.
Result<Credentials> LoadOrMakeCredentials(const CredentialOptions& options, const Clock& clock,
                                          Logger& log);

struct KubeconfigEntry {
  std::string cluster;  // also the name of the context and the user
  std::string server;   // https://127.0.0.1:6443
  std::string authority_pem;
  net::KeyPair client;
};

/// Returns a kubeconfig with embedded certificates and key.
std::string KubeconfigText(const KubeconfigEntry& entry);

}  // namespace plimsoll::apiserver
