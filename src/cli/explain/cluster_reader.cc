#include "cli/explain/cluster_reader.h"

#include <utility>

#include "api/extension/extension.h"
#include "cli/connect.h"
#include "scheduler/scheduler.h"
#include "service/server_kind.h"

namespace plimsoll::cli {
namespace {

const client::Call kOnce{.retries_max = 0};

const api::KindDesc& PodKind() { return *api::FindKind("", "v1", "Pod"); }

Result<ObjectPtr> Readable(ObjectPtr pod) {
  const std::string_view fault = api::FaultOf(*pod);
  if (fault.empty()) return pod;
  return Fail(Reason::Invalid,
              "pod " + FullName(*pod) +
                  " is not placed, as it has invalid annotations: " + std::string(fault));
}

}  // namespace

std::string FullName(const api::Object& object) {
  return std::string(object.metadata().namespace_) + "/" + std::string(object.metadata().name);
}

Result<ClusterReader> ClusterReader::Connect(const std::string& kubeconfig,
                                             const std::string& kube_context, Clock& clock) {
  service::ServerAccess user = PL_TRY(AccessForUser(kubeconfig, kube_context));
  auto client = PL_TRY(ConnectForUser(user, clock));
  return ClusterReader(std::move(user), std::move(client));
}

ClusterReader::ClusterReader(service::ServerAccess user, std::unique_ptr<client::Client> client)
    : user_(std::move(user)), client_(std::move(client)) {
  const auto version = client_->ServerVersion(kOnce);
  reads_as_ = service::AnnotationTransformFor(
      version ? service::KindOfVersion(*version) : service::ServerKind::Stock, {});
}

Result<std::vector<ObjectPtr>> ClusterReader::List(const api::WatchedKind& watched,
                                                   std::string_view namespace_,
                                                   const std::string& label_selector) const {
  const api::KindDesc& kind = *api::FindKind(watched.group, watched.version, watched.kind);
  client::ListOptions options;
  options.field_selector = watched.field_selector;
  options.label_selector = label_selector;
  std::vector<ObjectPtr> objects;
  auto list = client_->List({kind, namespace_}, options, kOnce);
  // An older server may not serve every kind; then there are no such objects.
  if (!list && list.error().code == 404) return objects;
  if (!list) return Refused("cannot list " + std::string(kind.plural), list.error());
  for (const ObjectPtr& object : list->objects) objects.push_back(Read(object));
  return objects;
}

Result<std::vector<ObjectPtr>> ClusterReader::ListAll() const {
  std::vector<ObjectPtr> objects;
  for (const api::WatchedKind& watched : scheduler::Scheduler::AllWatched()) {
    std::vector<ObjectPtr> some = PL_TRY(List(watched, {}));
    objects.insert(objects.end(), some.begin(), some.end());
  }
  return objects;
}

Result<ObjectPtr> ClusterReader::Find(const api::KindDesc& kind, const std::string& namespace_,
                                      const std::string& name) const {
  auto found = client_->Get({kind, namespace_, name}, {}, kOnce);
  if (found) return Read(*found);
  if (found.error().code == 404) return ObjectPtr();
  return Refused("cannot get " + std::string(kind.singular) + " " + name, found.error());
}

Result<ObjectPtr> ClusterReader::FindPod(const std::string& namespace_,
                                         const std::string& name) const {
  ObjectPtr pod = PL_TRY(Find(PodKind(), namespace_, name));
  return pod == nullptr ? Result<ObjectPtr>(pod) : Readable(std::move(pod));
}

Result<ObjectPtr> ClusterReader::DryRun(const ObjectPtr& pod) const {
  auto made =
      client_->Create({PodKind(), pod->metadata().namespace_}, *pod, {.dry_run = true}, kOnce);
  if (made) return Readable(Read(*made));
  if (api::ToError(made.error()).reason == Reason::AlreadyExists) return pod;
  return Refused("the server would not create pod " + FullName(*pod), made.error());
}

std::unexpected<Error> ClusterReader::Refused(const std::string& what,
                                              const api::StatusObject& status) const {
  const bool is_silent = status.code == 503 || status.code == 504;
  if (is_silent) return std::unexpected(Unreachable(user_, status.message));
  return Fail(Reason::InternalError, what + ": " + status.message);
}

}  // namespace plimsoll::cli
