#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/explain/cluster_snapshot.h"
#include "client/client.h"
#include "client/informer.h"
#include "service/connect.h"

namespace plimsoll::cli {

/// Reads objects of a server for interactive commands. On a stock server, objects are read with
/// their plimsoll.io annotations. Failures name the server, and tell what to check.
class ClusterReader {
 public:
  /// The clock must outlive the reader.
  static Result<ClusterReader> Connect(const std::string& kubeconfig,
                                       const std::string& kube_context, Clock& clock);

  /// Returns the namespace of the kubeconfig's context.
  const std::string& namespace_() const { return user_.access.namespace_; }

  /// Lists all objects that a scheduler watches.
  Result<std::vector<ObjectPtr>> ListAll() const;
  /// Lists the objects of a kind. Returns none if the server does not serve the kind. An empty
  /// namespace means all.
  Result<std::vector<ObjectPtr>> List(const api::WatchedKind& kind, std::string_view namespace_,
                                      const std::string& label_selector = {}) const;
  /// Returns null if there is no such object.
  Result<ObjectPtr> Find(const api::KindDesc& kind, const std::string& namespace_,
                         const std::string& name) const;
  /// Same, for a pod. Invalid if its annotations are: no scheduler would place it.
  Result<ObjectPtr> FindPod(const std::string& namespace_, const std::string& name) const;
  /// Returns the pod as the server would create it, including changes by admission.
  Result<ObjectPtr> DryRun(const ObjectPtr& pod) const;

 private:
  ClusterReader(service::ServerAccess user, std::unique_ptr<client::Client> client);

  ObjectPtr Read(const ObjectPtr& object) const { return reads_as_ ? reads_as_(object) : object; }
  std::unexpected<Error> Refused(const std::string& what, const api::StatusObject& status) const;

  service::ServerAccess user_;
  std::unique_ptr<client::Client> client_;
  client::Transform reads_as_;
};

/// Returns `namespace/name`.
std::string FullName(const api::Object& object);

}  // namespace plimsoll::cli
