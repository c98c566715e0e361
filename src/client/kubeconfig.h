#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "client/client.h"
#include "net/client.h"

namespace plimsoll::client {

/// PEM text, as it stands in the file or in another one. The text wins.
struct PemSource {
  std::string text;
  std::string path;

  bool empty() const { return text.empty() && path.empty(); }
};

struct KubeCluster {
  std::string name;
  std::string at;      // where it stands: clusters[0].cluster
  std::string server;  // https://127.0.0.1:6443
  std::string tls_server_name;
  bool insecure_skip_tls_verify = false;
  PemSource certificate_authority;
  std::string proxy_url;
};

struct KubeUser {
  std::string name;
  std::string at;
  PemSource client_certificate;
  PemSource client_key;
  std::string token;
  std::string token_file;  // wins over the token
  std::string impersonate_user;
  std::string impersonate_uid;
  std::vector<std::string> impersonate_groups;
  std::vector<std::pair<std::string, std::string>> impersonate_extra;
  /// Ways to log in that are not served: exec, auth-provider, username. Only whoever uses the user
  /// is refused.
  std::string unserved;
};

struct KubeContext {
  std::string name;
  std::string at;
  std::string cluster;
  std::string user;
  std::string namespace_;
};

struct Kubeconfig {
  std::vector<KubeCluster> clusters;
  std::vector<KubeUser> users;
  std::vector<KubeContext> contexts;
  std::string current_context;

  /// Adds what another file has. Of what both name this one's stays, as with a KUBECONFIG of many
  /// files.
  void Merge(Kubeconfig other);
};

/// Reads YAML or JSON. Names of other files are taken as relative to `directory`. BadRequest with
/// the field at fault (`users[1].user.client-key-data`).
Result<Kubeconfig> ParseKubeconfig(std::string_view text, const std::string& directory);
/// NotFound as well; the message names the file.
Result<Kubeconfig> ReadKubeconfig(const std::string& path);

/// All that is needed to talk to a server as somebody.
struct ClusterAccess {
  std::string server;
  net::ClientTls tls;
  net::TlsUpdates tls_updates;  // follows the files that hold certificates; empty: there are none
  std::string namespace_ = "default";
  /// For ClientOptions.
  std::function<std::string(Instant)> token;
  net::Headers headers;
};

/// What the context names, or the current one when `context` is empty; other files are read.
/// Invalid with the field at fault: there is no such context, cluster or user, or it is one of a
/// kind that is not served.
Result<ClusterAccess> Resolve(const Kubeconfig& config, std::string_view context = {});

/// Reads the kubeconfig and resolves the context. `tls_updates` follows the kubeconfig itself as
/// well, whose certificates may stand in it.
Result<ClusterAccess> ResolveFile(const std::string& path, std::string_view context = {});

/// From within a pod: `host` and `port` are KUBERNETES_SERVICE_HOST and _PORT, and the directory
/// holds the token, `ca.crt` and `namespace` of its service account.
Result<ClusterAccess> ResolveInCluster(
    std::string_view host, std::string_view port,
    const std::string& directory = "/var/run/secrets/kubernetes.io/serviceaccount");

/// A token in a file, which others renew: read again once a minute. While it cannot be read the
/// last one is used. Safe for use by many threads.
std::function<std::string(Instant)> TokenFromFile(std::string path);

/// Over sockets. `options.token` and `options.headers` are set from the access.
Result<std::unique_ptr<Client>> Connect(const ClusterAccess& access, Clock& clock,
                                        ClientOptions options = {});

}  // namespace plimsoll::client
