#include "cli/explain/read_cluster.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/extension/extension.h"
#include "base/suggest.h"
#include "cli/connect.h"
#include "cli/manifest/manifest_files.h"
#include "scheduler/scheduler.h"
#include "service/server_kind.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kNamesShown = 5;

std::string FullName(const api::Object& object) {
  return std::string(object.metadata().namespace_) + "/" + std::string(object.metadata().name);
}

/// Returns the pod that a workload would create from its template; null if it has none.
Result<ObjectPtr> PodOf(const api::Object& workload) {
  const codec::Value* const spec = workload.tree().Find("spec");
  const codec::Value* const made_of = spec == nullptr ? nullptr : spec->Find("template");
  if (workload.As<api::Workload>() == nullptr || made_of == nullptr) return ObjectPtr();
  const auto document = std::make_shared<codec::Document>();
  document->root() = document->Clone(*made_of);
  codec::Value& root = document->root();
  document->Set(root, "apiVersion", codec::Value::String("v1"));
  document->Set(root, "kind", codec::Value::String("Pod"));
  if (root.Find("metadata") == nullptr) document->Set(root, "metadata", document->NewObject());
  codec::Value& metadata = *root.Find("metadata");
  document->Set(metadata, "name", document->NewString(workload.metadata().name));
  document->Set(metadata, "namespace", document->NewString(workload.metadata().namespace_));
  auto decoded = api::DecodeObject(document, {.field_validation = api::FieldValidation::Ignore});
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  return std::move(decoded->object);
}

/// Returns `; did you mean a or b?` with similar names or names with this prefix, or nothing.
std::string Suggestions(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::string> near;
  for (const std::string& one : known) {
    if (near.size() < kNamesShown && one.starts_with(name)) near.push_back(one);
  }
  if (near.empty()) {
    if (auto nearest = Nearest(name, known)) near.push_back(*std::move(nearest));
  }
  std::string text;
  for (const std::string& one : near) text += (text.empty() ? "; did you mean " : ", ") + one;
  return text.empty() ? text : text + "?";
}

Error NoSuchPod(const std::string& name, const std::string& namespace_,
                const std::vector<ObjectPtr>& pods) {
  std::vector<std::string> names;
  std::string elsewhere;
  for (const ObjectPtr& pod : pods) {
    const bool is_here = namespace_.empty() || pod->metadata().namespace_ == namespace_;
    if (is_here) names.emplace_back(pod->metadata().name);
    if (!is_here && pod->metadata().name == name) elsewhere = pod->metadata().namespace_;
  }
  std::ranges::sort(names);
  std::string message = "no pod \"" + name + "\"";
  if (!namespace_.empty()) message += " in namespace \"" + namespace_ + "\"";
  message += elsewhere.empty()
                 ? Suggestions(name, names)
                 : "; there is one in namespace \"" + elsewhere + "\": -n " + elsewhere;
  return {Reason::NotFound, {}, std::move(message)};
}

std::vector<ObjectPtr> PodsAmong(const std::vector<ObjectPtr>& objects) {
  std::vector<ObjectPtr> pods;
  for (const ObjectPtr& object : objects) {
    if (object->As<api::Pod>() != nullptr) pods.push_back(object);
  }
  return pods;
}

/// Finds a pod by name, in any namespace if none is given. Without a name, returns the only pod, or
/// the only one that is not bound.
Result<ObjectPtr> ChoosePod(const std::vector<ObjectPtr>& pods, const std::string& name,
                            const std::string& namespace_) {
  std::vector<ObjectPtr> found;
  for (const ObjectPtr& pod : pods) {
    const bool is_here = namespace_.empty() || pod->metadata().namespace_ == namespace_;
    const bool is_meant = name.empty() || (pod->metadata().name == name && is_here);
    if (is_meant) found.push_back(pod);
  }
  if (found.empty() && !name.empty()) return std::unexpected(NoSuchPod(name, namespace_, pods));
  if (found.empty()) return FailAt(Reason::Invalid, "-f", "the files hold no pod and no workload");
  if (found.size() > 1) {
    std::erase_if(
        found, [](const ObjectPtr& pod) { return !pod->As<api::Pod>()->spec.node_name.empty(); });
  }
  if (found.size() == 1) return found.front();
  std::string message = "the files hold several pods; name one of them:";
  for (std::size_t i = 0; i < std::min(pods.size(), kNamesShown); ++i) {
    message += " " + FullName(*pods[i]);
  }
  return Fail(Reason::Invalid, message + (pods.size() > kNamesShown ? " …" : ""));
}

Result<std::vector<ObjectPtr>> ReadObjects(const std::vector<std::string>& paths,
                                           const std::string& namespace_, Context& context) {
  std::vector<ObjectPtr> objects;
  if (paths.empty()) return objects;
  for (const Manifest& manifest :
       PL_TRY(ReadValidManifests(paths, {.create_in = namespace_}, context))) {
    objects.push_back(manifest.object);
  }
  return objects;
}

/// Returns the pods in the files, and those that their workloads would create.
Result<std::vector<ObjectPtr>> PodsOf(const std::vector<ObjectPtr>& objects) {
  std::vector<ObjectPtr> pods = PodsAmong(objects);
  for (const ObjectPtr& object : objects) {
    if (const ObjectPtr pod = PL_TRY(PodOf(*object))) pods.push_back(pod);
  }
  return pods;
}

/// Connection to a server for interactive commands.
class Server {
 public:
  static Result<Server> Connect(const std::string& kubeconfig, Clock& clock) {
    service::ServerAccess user = PL_TRY(AccessForUser(kubeconfig));
    auto client = PL_TRY(ConnectForUser(user, clock));
    return Server(std::move(user), std::move(client));
  }

  const std::string& namespace_() const { return user_.access.namespace_; }

  /// Lists all objects that a scheduler watches.
  Result<std::vector<ObjectPtr>> ListAll() const {
    std::vector<ObjectPtr> objects;
    for (const api::WatchedKind& watched : scheduler::Scheduler::AllWatched()) {
      const api::KindDesc& kind = *api::FindKind(watched.group, watched.version, watched.kind);
      client::ListOptions options;
      options.field_selector = watched.field_selector;
      auto list = client_->List({kind}, options, kOnce);
      // An older server may not serve every kind; then there are no such objects.
      if (!list && list.error().code == 404) continue;
      if (!list) return Refused("cannot list " + std::string(kind.plural), list.error());
      for (const ObjectPtr& object : list->objects) objects.push_back(Read(object));
    }
    return objects;
  }

  /// Returns null if there is no such pod.
  Result<ObjectPtr> FindPod(const std::string& namespace_, const std::string& name) const {
    auto pod = client_->Get({PodKind(), namespace_, name}, {}, kOnce);
    if (pod) return Readable(Read(*pod));
    if (pod.error().code == 404) return ObjectPtr();
    return Refused("cannot get pod " + name, pod.error());
  }

  /// Returns the pod as the server would create it, including changes by admission.
  Result<ObjectPtr> DryRun(const ObjectPtr& pod) const {
    auto made =
        client_->Create({PodKind(), pod->metadata().namespace_}, *pod, {.dry_run = true}, kOnce);
    if (made) return Readable(Read(*made));
    if (api::ToError(made.error()).reason == Reason::AlreadyExists) return pod;
    return Refused("the server would not create pod " + FullName(*pod), made.error());
  }

 private:
  inline static const client::Call kOnce{.retries_max = 0};

  Server(service::ServerAccess user, std::unique_ptr<client::Client> client)
      : user_(std::move(user)), client_(std::move(client)) {
    const auto version = client_->ServerVersion(kOnce);
    reads_as_ = service::AnnotationTransformFor(
        version ? service::KindOfVersion(*version) : service::ServerKind::Stock, {});
  }

  ObjectPtr Read(const ObjectPtr& object) const { return reads_as_ ? reads_as_(object) : object; }
  /// Rejects a pod with invalid annotations, because the scheduler would not place it.
  static Result<ObjectPtr> Readable(ObjectPtr pod) {
    const std::string_view fault = api::FaultOf(*pod);
    if (fault.empty()) return pod;
    return Fail(Reason::Invalid,
                "pod " + FullName(*pod) +
                    " is not placed, as it has invalid annotations: " + std::string(fault));
  }

  static const api::KindDesc& PodKind() { return *api::FindKind("", "v1", "Pod"); }

  std::unexpected<Error> Refused(const std::string& what, const api::StatusObject& status) const {
    const bool is_silent = status.code == 503 || status.code == 504;
    if (is_silent) return std::unexpected(Unreachable(user_, status.message));
    return Fail(Reason::InternalError, what + ": " + status.message);
  }

  service::ServerAccess user_;
  std::unique_ptr<client::Client> client_;
  client::Transform reads_as_;
};

/// Returns the pod with that name on the server, and its cluster.
Result<ExplainInput> ReadFromServer(const ExplainOptions& options, const Server& server) {
  const std::string namespace_ =
      options.namespace_.empty() ? server.namespace_() : options.namespace_;
  ExplainInput input;
  input.pod = PL_TRY(server.FindPod(namespace_, options.name));
  input.objects = PL_TRY(server.ListAll());
  if (input.pod != nullptr) return input;
  return std::unexpected(NoSuchPod(options.name, namespace_, PodsAmong(input.objects)));
}

bool HasNodes(const std::vector<ObjectPtr>& objects) {
  return std::ranges::any_of(
      objects, [](const ObjectPtr& object) { return object->As<api::Node>() != nullptr; });
}

}  // namespace

Result<ExplainInput> ReadExplainInput(const ExplainOptions& options, Clock& clock,
                                      Context& context) {
  if (options.files.empty()) {
    if (!options.nodes.empty()) {
      return FailAt(Reason::Invalid, "-f", "--nodes wants a pod from a file");
    }
    if (options.name.empty()) {
      return Fail(Reason::Invalid, "which pod? Name one of the server's, or a file with -f");
    }
    const Server server = PL_TRY(Server::Connect(options.kubeconfig, clock));
    return ReadFromServer(options, server);
  }
  const std::string namespace_ = options.namespace_.empty() ? "default" : options.namespace_;
  ExplainInput input;
  input.objects = PL_TRY(ReadObjects(options.files, namespace_, context));
  const std::vector<ObjectPtr> pods = PL_TRY(PodsOf(input.objects));
  input.pod = PL_TRY(ChoosePod(pods, options.name, options.namespace_));
  if (options.nodes.empty() && !HasNodes(input.objects)) {
    const Server server = PL_TRY(Server::Connect(options.kubeconfig, clock));
    input.pod = PL_TRY(server.DryRun(input.pod));
    input.objects = PL_TRY(server.ListAll());
    return input;
  }
  const std::vector<ObjectPtr> nodes = PL_TRY(ReadObjects(options.nodes, namespace_, context));
  input.objects.insert(input.objects.end(), nodes.begin(), nodes.end());
  return input;
}

}  // namespace plimsoll::cli
