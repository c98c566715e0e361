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

class RestClientMetrics;

/// PEM text, inline in the kubeconfig or in another file. The inline text wins.
struct PemSource {
  std::string text;
  std::string path;

  bool empty() const { return text.empty() && path.empty(); }
};

struct KubeCluster {
  std::string name;
  std::string at;      // path in the kubeconfig: clusters[0].cluster
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
  std::string token_file;  // wins over `token`
  std::string impersonate_user;
  std::string impersonate_uid;
  std::vector<std::string> impersonate_groups;
  std::vector<std::pair<std::string, std::string>> impersonate_extra;
  /// Unsupported authentication method: exec, auth-provider or username. Resolve fails only for a
  /// context that uses this user.
  std::string unsupported_auth;
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

  /// Adds the entries of another file. For a name in both files the entry of this one is kept, as
  /// with several files in KUBECONFIG.
  void Merge(Kubeconfig other);
};

/// Parses YAML or JSON. Paths are relative to `directory`. BadRequest: names the invalid field
/// (`users[1].user.client-key-data`).
Result<Kubeconfig> ParseKubeconfig(std::string_view text, const std::string& directory);
/// Same as above, for a file. Also NotFound; the message names the file.
Result<Kubeconfig> ReadKubeconfig(const std::string& path);

/// Everything needed to connect to a server as a user.
struct ClusterAccess {
  std::string server;
  net::ClientTls tls;
  net::TlsUpdates tls_updates;  // follows the files with certificates; empty: there are none
  std::string namespace_ = "default";
  /// For ClientOptions.
  std::function<std::string(Instant)> token;
  net::Headers headers;
};

/// Resolves a context, or the current one if `context` is empty; reads the files that it names.
/// Invalid: names the field; there is no such context, cluster or user, or its kind is not
/// supported.
Result<ClusterAccess> Resolve(const Kubeconfig& config, std::string_view context = {});

/// Reads the kubeconfig and resolves the context. `tls_updates` also follows the kubeconfig itself,
/// which may contain certificates.
Result<ClusterAccess> ResolveFile(const std::string& path, std::string_view context = {});

/// Returns the token in a file that others renew. It is read again once a minute. If it cannot be
/// read, the last token is used. Safe for use by many threads.
std::function<std::string(Instant)> TokenFromFile(std::string path);

/// Connects over sockets. Sets `options.token` and `options.headers` from the access. Counts the
/// requests in `metrics`, unless it is null.
Result<std::unique_ptr<Client>> Connect(const ClusterAccess& access, Clock& clock,
                                        ClientOptions options = {},
                                        const RestClientMetrics* metrics = nullptr);

}  // namespace plimsoll::client
