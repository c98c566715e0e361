#include "cli/explain/read_cluster.h"

#include <algorithm>
#include <utility>

#include "base/suggest.h"
#include "cli/explain/cluster_reader.h"
#include "cli/manifest/manifest_files.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kNamesShown = 5;

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

/// Returns the error for an unknown name. `word` is the kind's name in messages.
Error NoSuchObject(std::string_view word, const std::string& name, const std::string& namespace_,
                   const std::vector<ObjectPtr>& known) {
  std::vector<std::string> names;
  std::string elsewhere;
  for (const ObjectPtr& object : known) {
    const bool is_here = namespace_.empty() || object->metadata().namespace_ == namespace_;
    if (is_here) names.emplace_back(object->metadata().name);
    if (!is_here && object->metadata().name == name) elsewhere = object->metadata().namespace_;
  }
  std::ranges::sort(names);
  std::string message = "no " + std::string(word) + " \"" + name + "\"";
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
  if (found.empty() && !name.empty())
    return std::unexpected(NoSuchObject("pod", name, namespace_, pods));
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

/// Returns the pod with that name on the server, and its cluster.
Result<ExplainInput> ReadFromServer(const ExplainOptions& options, const ClusterReader& server) {
  const std::string namespace_ =
      options.namespace_.empty() ? server.namespace_() : options.namespace_;
  ExplainInput input;
  input.pod = PL_TRY(server.FindPod(namespace_, options.name));
  input.objects = PL_TRY(server.ListAll());
  if (input.pod != nullptr) return input;
  return std::unexpected(NoSuchObject("pod", options.name, namespace_, PodsAmong(input.objects)));
}

bool HasNodes(const std::vector<ObjectPtr>& objects) {
  return std::ranges::any_of(
      objects, [](const ObjectPtr& object) { return object->As<api::Node>() != nullptr; });
}

bool IsOfKind(const api::Object& object, const SubjectKind& kind) {
  return object.kind().kind == kind.kind && object.kind().group == kind.group;
}

/// Finds an object of the kind by name; without a name, the only one.
Result<ObjectPtr> ChooseSubject(const std::vector<ObjectPtr>& objects, const SubjectKind& kind,
                                const ExplainOptions& options) {
  std::vector<ObjectPtr> known;
  std::vector<ObjectPtr> found;
  for (const ObjectPtr& object : objects) {
    if (!IsOfKind(*object, kind)) continue;
    known.push_back(object);
    const bool is_here = options.namespace_.empty() || !object->kind().is_namespaced ||
                         object->metadata().namespace_ == options.namespace_;
    const bool is_named = options.name.empty() || object->metadata().name == options.name;
    if (is_here && is_named) found.push_back(object);
  }
  if (found.size() == 1) return found.front();
  const std::string word(kind.word);
  if (!found.empty()) {
    return Fail(Reason::Invalid, "the files hold several objects of kind " +
                                     std::string(kind.kind) + "; name one and its namespace");
  }
  if (options.name.empty()) return FailAt(Reason::Invalid, "-f", "the files hold no " + word);
  return std::unexpected(NoSuchObject(word, options.name, options.namespace_, known));
}

/// Adds objects that a scheduler does not watch: pods that have ended, and templates of claims.
Status AddRelated(const ClusterReader& server, std::string_view namespace_,
                  std::vector<ObjectPtr>& objects) {
  for (const api::WatchedKind& kind :
       {api::WatchedKind{"", "v1", "Pod", {}, "status.phase=Succeeded"},
        api::WatchedKind{"", "v1", "Pod", {}, "status.phase=Failed"},
        api::WatchedKind{"resource.k8s.io", "v1", "ResourceClaimTemplate"}}) {
    const std::vector<ObjectPtr> some = PL_TRY(server.List(kind, namespace_));
    objects.insert(objects.end(), some.begin(), some.end());
  }
  return {};
}

Result<SubjectInput> ReadSubjectFromServer(const ExplainOptions& options, const SubjectKind& kind,
                                           const ClusterReader& server) {
  const api::KindDesc& desc = *api::FindKind(kind.group, kind.version, kind.kind);
  std::string namespace_ = options.namespace_.empty() ? server.namespace_() : options.namespace_;
  if (!desc.is_namespaced) namespace_.clear();
  SubjectInput input;
  input.subject = PL_TRY(server.Find(desc, namespace_, options.name));
  if (input.subject == nullptr) {
    const auto known = PL_TRY(server.List({kind.group, kind.version, kind.kind}, {}));
    return std::unexpected(NoSuchObject(kind.word, options.name, namespace_, known));
  }
  input.objects = PL_TRY(server.ListAll());
  if (desc.is_namespaced) PL_TRY(AddRelated(server, namespace_, input.objects));
  return input;
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
    const ClusterReader server =
        PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
    return ReadFromServer(options, server);
  }
  const std::string namespace_ = options.namespace_.empty() ? "default" : options.namespace_;
  ExplainInput input;
  input.objects = PL_TRY(ReadObjects(options.files, namespace_, context));
  const std::vector<ObjectPtr> pods = PL_TRY(PodsOf(input.objects));
  input.pod = PL_TRY(ChoosePod(pods, options.name, options.namespace_));
  if (options.nodes.empty() && !HasNodes(input.objects)) {
    const ClusterReader server =
        PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
    input.pod = PL_TRY(server.DryRun(input.pod));
    input.objects = PL_TRY(server.ListAll());
    return input;
  }
  const std::vector<ObjectPtr> nodes = PL_TRY(ReadObjects(options.nodes, namespace_, context));
  input.objects.insert(input.objects.end(), nodes.begin(), nodes.end());
  return input;
}

Result<std::vector<ObjectPtr>> ReadClusterObjects(const ExplainOptions& options, Clock& clock,
                                                  Context& context) {
  std::vector<std::string> paths = options.files;
  paths.insert(paths.end(), options.nodes.begin(), options.nodes.end());
  if (paths.empty()) {
    const ClusterReader server =
        PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
    return server.ListAll();
  }
  return ReadObjects(paths, options.namespace_.empty() ? "default" : options.namespace_, context);
}

Result<SubjectInput> ReadSubject(const ExplainOptions& options, const SubjectKind& kind,
                                 Clock& clock, Context& context) {
  if (options.files.empty() && options.nodes.empty()) {
    if (options.name.empty()) {
      return Fail(Reason::Invalid, "which " + std::string(kind.word) +
                                       "? Name one of the server's, or a file with -f");
    }
    const ClusterReader server =
        PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
    return ReadSubjectFromServer(options, kind, server);
  }
  SubjectInput input;
  input.objects = PL_TRY(ReadClusterObjects(options, clock, context));
  input.subject = PL_TRY(ChooseSubject(input.objects, kind, options));
  if (!options.nodes.empty() || HasNodes(input.objects)) return input;
  const ClusterReader server =
      PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
  std::vector<ObjectPtr> all = PL_TRY(server.ListAll());
  PL_TRY(AddRelated(server, input.subject->metadata().namespace_, all));
  // The files win over the server.
  all.insert(all.end(), input.objects.begin(), input.objects.end());
  input.objects = std::move(all);
  return input;
}

}  // namespace plimsoll::cli
