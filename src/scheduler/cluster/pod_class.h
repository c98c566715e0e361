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

/// Pods whose placement depends on the same things are one class: equal namespace, labels,
/// priority, controller, and everything in the specification that a plugin reads. What is computed
/// for one pod of a class holds for all; pods of one template are of one class.
using ClassId = Interner::Id;

struct HostPort {
  std::string_view ip;  // 0.0.0.0 when not given
  std::string_view protocol;
  std::int32_t port = 0;

  friend bool operator==(const HostPort&, const HostPort&) = default;
};

/// Immutable while any pod is of the class.
struct PodClass {
  ClassId id = Interner::kNone;
  /// Never the same for two classes, while ids are reused: what is kept by id is told from what was
  /// kept for an earlier bearer.
  std::uint64_t serial = 0;
  /// Some pod of the class. Only what all of them share may be read: never its name, uid, node or
  /// status. Keeps the texts of this struct alive.
  ObjectPtr exemplar;
  const api::Pod* pod = nullptr;  // of the exemplar

  std::int32_t priority = 0;
  PodRequests requests;
  std::vector<HostPort> host_ports;  // each once
  api::NodeFeatures required_features = 0;
  bool has_claims = false;  // some volume is a PersistentVolumeClaim or an ephemeral one
  bool has_required_anti_affinity = false;
  bool has_pod_affinity = false;  // any pod affinity or anti-affinity, required or preferred

  bool has_expressions = false;  // some toleration is an expression

  const api::PodSpec& spec() const { return pod->spec; }
  std::string_view namespace_() const { return pod->metadata.namespace_; }
  const api::StringMap& labels() const { return pod->metadata.labels; }
};

/// Appends what makes the class of a pod. Equal keys, equal class.
void AppendClassKey(const api::Pod& pod, std::string& key);

/// Everything but the id and the serial. The object must be a pod.
PodClass DescribeClass(const ObjectPtr& object, Interner& resource_names);

}  // namespace plimsoll::scheduler
