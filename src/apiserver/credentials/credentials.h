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
  std::vector<std::string> names;  // the server's, beside localhost and 127.0.0.1
};

/// What a server needs to be trusted and to know its clients by.
struct Credentials {
  net::KeyPair authority;  // signs the server's certificate and those of clients
  net::KeyPair server;
  net::KeyPair admin;               // of the user in the kubeconfig, in system:masters
  net::KeyPair scheduler;           // system:kube-scheduler
  net::KeyPair controller_manager;  // system:kube-controller-manager
  std::string signing_key;          // of service-account tokens
};

/// Reads them, and makes what is missing, has less than a month to live, or lacks one of the names.
/// The authority is made only once: clients trust it. Files are for their owner alone.
Result<Credentials> LoadOrMakeCredentials(const CredentialOptions& options, const Clock& clock,
                                          Logger& log);

struct KubeconfigEntry {
  std::string cluster;  // also the context's and the user's name
  std::string server;   // https://127.0.0.1:6443
  std::string authority_pem;
  net::KeyPair client;
};

/// A kubeconfig with all that it needs inside.
std::string KubeconfigText(const KubeconfigEntry& entry);

}  // namespace plimsoll::apiserver
