#include "client/kubeconfig.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>

#include "base/file.h"
#include "base/file_stamps.h"
#include "base/go_text.h"
#include "base/text/base64.h"
#include "client/response_parser.h"
#include "client/rest_client_metrics.h"
#include "codec/yaml.h"

namespace plimsoll::client {
namespace {

using codec::Value;

/// Reads one object of the file. Keeps the first fault and ignores later ones.
class Fields {
 public:
  Fields(const Value& tree, std::string at, const std::string& directory)
      : tree_(tree), at_(std::move(at)), directory_(directory) {
    if (!tree_.is_object() && !tree_.is_null()) Refuse("", "must be an object");
  }

  const Value* Find(std::string_view key) const {
    const Value* value = tree_.Find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
  }
  std::string Text(std::string_view key) {
    const Value* value = Find(key);
    if (value == nullptr) return {};
    if (value->is_string()) return std::string(value->text());
    Refuse(key, "must be a string");
    return {};
  }
  bool Bool(std::string_view key) {
    const Value* value = Find(key);
    if (value == nullptr) return false;
    if (value->is_bool()) return value->AsBool();
    Refuse(key, "must be a boolean");
    return false;
  }
  std::string Path(std::string_view key) {
    const std::string name = Text(key);
    if (name.empty()) return {};
    return (std::filesystem::path(directory_) / name).lexically_normal().string();
  }
  PemSource Pem(std::string_view key) {
    PemSource out{.text = {}, .path = Path(key)};
    const std::string data_key = std::string(key) + "-data";
    const std::string data = Text(data_key);
    if (Result<std::string> text = DecodeBase64(data)) {
      out.text = *std::move(text);
    } else {
      Refuse(data_key, text.error().message);
    }
    return out;
  }
  std::vector<std::string> Texts(std::string_view key) {
    std::vector<std::string> out;
    const Value* value = Find(key);
    if (value == nullptr) return out;
    if (!value->is_array()) Refuse(key, "must be a list");
    for (const Value& item : value->items()) {
      if (item.is_string()) {
        out.emplace_back(item.text());
      } else {
        Refuse(key, "must be a list of strings");
      }
    }
    return out;
  }
  /// Reads a map from texts to lists of texts.
  std::vector<std::pair<std::string, std::string>> Extra(std::string_view key) {
    std::vector<std::pair<std::string, std::string>> out;
    const Value* value = Find(key);
    if (value == nullptr) return out;
    Fields extra(*value, at_ + "." + std::string(key), directory_);
    for (const codec::Member& member : value->members()) {
      for (std::string& text : extra.Texts(member.key)) {
        out.emplace_back(member.key, std::move(text));
      }
    }
    if (!error_) error_ = extra.error_;
    return out;
  }

  void Refuse(std::string_view key, std::string_view why) {
    if (error_) return;
    std::string field = at_;
    if (!field.empty() && !key.empty()) field += '.';
    field += key;
    error_ = Error{Reason::BadRequest, std::move(field), std::string(why)};
  }
  const std::optional<Error>& error() const { return error_; }
  const std::string& at() const { return at_; }

 private:
  const Value tree_;
  const std::string at_;
  const std::string& directory_;
  std::optional<Error> error_;
};

KubeCluster ReadOne(Fields& fields, KubeCluster*) {
  KubeCluster out;
  out.server = fields.Text("server");
  out.tls_server_name = fields.Text("tls-server-name");
  out.insecure_skip_tls_verify = fields.Bool("insecure-skip-tls-verify");
  out.certificate_authority = fields.Pem("certificate-authority");
  out.proxy_url = fields.Text("proxy-url");
  return out;
}

KubeUser ReadOne(Fields& fields, KubeUser*) {
  KubeUser out;
  out.client_certificate = fields.Pem("client-certificate");
  out.client_key = fields.Pem("client-key");
  out.token = fields.Text("token");
  out.token_file = fields.Path("tokenFile");
  out.impersonate_user = fields.Text("as");
  out.impersonate_uid = fields.Text("as-uid");
  out.impersonate_groups = fields.Texts("as-groups");
  out.impersonate_extra = fields.Extra("as-user-extra");
  for (const std::string_view key : {"exec", "auth-provider", "username"}) {
    if (out.unsupported_auth.empty() && fields.Find(key) != nullptr) out.unsupported_auth = key;
  }
  return out;
}

KubeContext ReadOne(Fields& fields, KubeContext*) {
  KubeContext out;
  out.cluster = fields.Text("cluster");
  out.user = fields.Text("user");
  out.namespace_ = fields.Text("namespace");
  return out;
}

/// Reads a list such as `clusters`, with items `{name: x, cluster: {…}}`.
template <class T>
Result<std::vector<T>> ReadAll(Fields& root, std::string_view list_key, const std::string& item_key,
                               const std::string& directory) {
  std::vector<T> out;
  const Value* list = root.Find(list_key);
  if (list == nullptr) return out;
  if (!list->is_array()) {
    return FailAt(Reason::BadRequest, std::string(list_key), "must be a list");
  }
  for (const Value& item : list->items()) {
    const std::string at = std::string(list_key) + "[" + std::to_string(out.size()) + "]";
    Fields named(item, at, directory);
    const std::string name = named.Text("name");
    const Value* inner = named.Find(item_key);
    if (name.empty()) named.Refuse("name", "may not be empty");
    Fields fields(inner != nullptr ? *inner : Value(), at + "." + item_key, directory);
    T one = ReadOne(fields, static_cast<T*>(nullptr));
    for (const Fields* part : {&named, &fields}) {
      if (part->error()) return std::unexpected(*part->error());
    }
    one.name = name;
    one.at = fields.at();
    out.push_back(std::move(one));
  }
  return out;
}

template <class T>
void MergeAll(std::vector<T>& into, std::vector<T> from) {
  for (T& one : from) {
    if (std::ranges::find(into, one.name, &T::name) == into.end()) into.push_back(std::move(one));
  }
}

template <class T>
Result<const T*> FindNamed(const std::vector<T>& all, std::string_view name, std::string at,
                           std::string_view what) {
  const auto found = std::ranges::find(all, name, &T::name);
  if (found != all.end()) return &*found;
  return FailAt(Reason::Invalid, std::move(at),
                "there is no " + std::string(what) + " " + GoQuote(name));
}

Result<std::string> ReadPem(const PemSource& source, const std::string& at) {
  if (!source.text.empty() || source.path.empty()) return source.text;
  Result<std::string> text = ReadFile(source.path);
  if (!text) return FailAt(Reason::Invalid, at, text.error().message);
  return text;
}

Status SetCluster(const KubeCluster& cluster, ClusterAccess& out) {
  if (cluster.server.empty()) {
    return FailAt(Reason::Invalid, cluster.at + ".server", "may not be empty");
  }
  if (!cluster.proxy_url.empty()) {
    return FailAt(Reason::Invalid, cluster.at + ".proxy-url", "proxies are not supported");
  }
  if (cluster.insecure_skip_tls_verify && !cluster.certificate_authority.empty()) {
    return FailAt(Reason::Invalid, cluster.at + ".insecure-skip-tls-verify",
                  "may not be true when a certificate authority is given");
  }
  out.server = cluster.server;
  while (out.server.ends_with('/')) out.server.pop_back();
  out.tls.server_name = cluster.tls_server_name;
  out.tls.skip_verify = cluster.insecure_skip_tls_verify;
  out.tls.ca_pem =
      PL_TRY(ReadPem(cluster.certificate_authority, cluster.at + ".certificate-authority"));
  return {};
}

Status SetUser(const KubeUser& user, ClusterAccess& out) {
  if (!user.unsupported_auth.empty()) {
    return FailAt(Reason::Invalid, user.at + "." + user.unsupported_auth,
                  "is not supported: use client-certificate and client-key, token or tokenFile");
  }
  if (user.client_certificate.empty() != user.client_key.empty()) {
    const bool lacks_key = user.client_key.empty();
    return FailAt(Reason::Invalid, user.at + (lacks_key ? ".client-key" : ".client-certificate"),
                  lacks_key ? "must be given together with client-certificate"
                            : "must be given together with client-key");
  }
  out.tls.certificate_pem =
      PL_TRY(ReadPem(user.client_certificate, user.at + ".client-certificate"));
  out.tls.key_pem = PL_TRY(ReadPem(user.client_key, user.at + ".client-key"));
  if (!user.token_file.empty()) {
    out.token = TokenFromFile(user.token_file);
  } else if (!user.token.empty()) {
    out.token = [token = user.token](Instant) { return token; };
  }
  const auto add = [&](std::string name, const std::string& value) {
    if (!value.empty()) out.headers.Add(std::move(name), value);
  };
  add("Impersonate-User", user.impersonate_user);
  add("Impersonate-Uid", user.impersonate_uid);
  for (const std::string& group : user.impersonate_groups) add("Impersonate-Group", group);
  for (const auto& [key, value] : user.impersonate_extra) {
    add("Impersonate-Extra-" + net::PercentEncode(key), value);
  }
  return {};
}

/// Returns the path that the text is read from, or an empty text if it is inline.
std::string FileOf(const PemSource& source) {
  return source.text.empty() ? source.path : std::string();
}

/// Resolves again when one of the files has changed.
net::TlsUpdates FollowFiles(std::vector<std::string> files,
                            std::function<Result<ClusterAccess>()> resolve) {
  return [stamps = std::make_shared<FileStamps>(std::move(files)),
          resolve = std::move(resolve)]() -> std::optional<net::ClientTls> {
    if (!stamps->HaveChanged()) return std::nullopt;
    Result<ClusterAccess> access = resolve();
    if (!access) return std::nullopt;
    return std::move(access->tls);
  };
}

}  // namespace

void Kubeconfig::Merge(Kubeconfig other) {
  MergeAll(clusters, std::move(other.clusters));
  MergeAll(users, std::move(other.users));
  MergeAll(contexts, std::move(other.contexts));
  if (current_context.empty()) current_context = std::move(other.current_context);
}

Result<Kubeconfig> ParseKubeconfig(std::string_view text, const std::string& directory) {
  const auto documents = PL_TRY(codec::ParseYaml(text));
  Kubeconfig out;
  if (documents.empty()) return out;
  Fields root(documents.front()->root(), "", directory);
  const std::string kind = root.Text("kind");
  if (!kind.empty() && kind != "Config") {
    root.Refuse("kind", "must be Config, is " + GoQuote(kind));
  }
  out.current_context = root.Text("current-context");
  if (root.error()) return std::unexpected(*root.error());
  out.clusters = PL_TRY(ReadAll<KubeCluster>(root, "clusters", "cluster", directory));
  out.users = PL_TRY(ReadAll<KubeUser>(root, "users", "user", directory));
  out.contexts = PL_TRY(ReadAll<KubeContext>(root, "contexts", "context", directory));
  return out;
}

Result<Kubeconfig> ReadKubeconfig(const std::string& path) {
  const std::string text = PL_TRY(ReadFile(path));
  Result<Kubeconfig> config =
      ParseKubeconfig(text, std::filesystem::path(path).parent_path().string());
  if (!config) {
    Error error = config.error();
    error.message = path + ": " + error.Text();
    return std::unexpected(std::move(error));
  }
  return config;
}

Result<ClusterAccess> Resolve(const Kubeconfig& config, std::string_view context) {
  const std::string_view name = context.empty() ? config.current_context : context;
  if (name.empty()) {
    return FailAt(Reason::Invalid, "current-context", "is not set, and no context was named");
  }
  const KubeContext& chosen = *PL_TRY(FindNamed(
      config.contexts, name, context.empty() ? "current-context" : "contexts", "context"));
  ClusterAccess out;
  if (!chosen.namespace_.empty()) out.namespace_ = chosen.namespace_;
  const KubeCluster* cluster =
      PL_TRY(FindNamed(config.clusters, chosen.cluster, chosen.at + ".cluster", "cluster"));
  PL_TRY(SetCluster(*cluster, out));
  std::vector<std::string> files{FileOf(cluster->certificate_authority)};
  if (!chosen.user.empty()) {
    const KubeUser* user =
        PL_TRY(FindNamed(config.users, chosen.user, chosen.at + ".user", "user"));
    PL_TRY(SetUser(*user, out));
    files.push_back(FileOf(user->client_certificate));
    files.push_back(FileOf(user->client_key));
  }
  std::erase(files, std::string());
  if (!files.empty()) {
    out.tls_updates = FollowFiles(
        std::move(files), [config, name = std::string(name)] { return Resolve(config, name); });
  }
  return out;
}

Result<ClusterAccess> ResolveFile(const std::string& path, std::string_view context) {
  const Kubeconfig config = PL_TRY(ReadKubeconfig(path));
  ClusterAccess out = PL_TRY(Resolve(config, context));
  // After a change of the kubeconfig, follow the files that it names now.
  out.tls_updates = [path, context = std::string(context),
                     stamps = std::make_shared<FileStamps>(std::vector{path}),
                     of_files = std::make_shared<net::TlsUpdates>(
                         std::move(out.tls_updates))]() -> std::optional<net::ClientTls> {
    if (stamps->HaveChanged()) {
      const Result<Kubeconfig> changed = ReadKubeconfig(path);
      Result<ClusterAccess> access =
          changed ? Resolve(*changed, context) : std::unexpected(changed.error());
      if (access) {
        *of_files = std::move(access->tls_updates);
        return std::move(access->tls);
      }
    }
    return *of_files != nullptr ? (*of_files)() : std::nullopt;
  };
  return out;
}

std::function<std::string(Instant)> TokenFromFile(std::string path) {
  struct Cached {
    std::mutex mutex;
    std::string token;
    bool was_read = false;
    Instant read_at;
  };
  return [path = std::move(path), cached = std::make_shared<Cached>()](Instant now) {
    const std::scoped_lock lock(cached->mutex);
    if (!cached->was_read || now - cached->read_at >= std::chrono::minutes(1)) {
      if (const Result<std::string> text = ReadFile(path)) {
        cached->token = GoTrimSpace(*text);
        cached->was_read = true;
        cached->read_at = now;
      }
    }
    return cached->token;
  };
}

Result<std::unique_ptr<Client>> Connect(const ClusterAccess& access, Clock& clock,
                                        ClientOptions options, const RestClientMetrics* metrics) {
  std::shared_ptr<net::Transport> transport = PL_TRY(net::ConnectTo(
      access.server, access.tls,
      {.unacknowledged_max = options.unacknowledged_max, .body_bytes_max = kResponseBytesMax},
      access.tls_updates));
  if (metrics != nullptr) {
    transport = metrics->Meter(std::move(transport), std::string(HostOf(access.server)));
  }
  options.token = access.token;
  options.headers = access.headers;
  return std::make_unique<Client>(std::move(transport), clock, std::move(options));
}

}  // namespace plimsoll::client
