#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node_features.h"
#include "api/object.h"
#include "base/interner.h"
#include "scheduler/cluster/resources.h"

namespace plimsoll::scheduler {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// Pods form one class if no plugin can tell them apart: equal namespace, labels, priority,
/// controller, and every spec field that a plugin reads. Results for one pod of a class hold for
/// all. Pods of one template are in one class.
using ClassId = Interner::Id;

struct HostPort {
  std::string_view ip;  // 0.0.0.0 if not set
  std::string_view protocol;
  std::int32_t port = 0;

  friend bool operator==(const HostPort&, const HostPort&) = default;
};

/// Description of a class. Immutable while any pod belongs to it.
struct PodClass {
  ClassId id = Interner::kNone;
  /// Unique for ever, unlike `id`, which is reused. Tells cached data of this class from data of an
  /// earlier class with the same id.
  std::uint64_t serial = 0;
  /// A pod of the class. Only fields that all of them share may be read: never name, uid, node or
  /// status. Owns the texts of this struct.
  ObjectPtr exemplar;
  const api::Pod* pod = nullptr;  // typed view of `exemplar`

  std::int32_t priority = 0;
  PodRequests requests;
  std::vector<HostPort> host_ports;  // without duplicates
  api::NodeFeatures required_features = 0;
  bool has_claims = false;  // some volume is a PersistentVolumeClaim or an ephemeral volume
  bool has_required_anti_affinity = false;
  bool has_pod_affinity = false;  // any pod affinity or anti-affinity, required or preferred

  bool has_expressions = false;  // some toleration has an expression

  const api::PodSpec& spec() const { return pod->spec; }
  std::string_view namespace_() const { return pod->metadata.namespace_; }
  const api::StringMap& labels() const { return pod->metadata.labels; }
};

/// Appends the fields that determine the pod's class. Equal keys mean equal classes.
void AppendClassKey(const api::Pod& pod, std::string& key);

/// Fills in everything but id and serial. REQUIRES: `object` is a pod.
PodClass DescribeClass(const ObjectPtr& object, Interner& resource_names);

}  // namespace plimsoll::scheduler
