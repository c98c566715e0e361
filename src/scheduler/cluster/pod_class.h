#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/interner.h"
#include "scheduler/cluster/class_view.h"
#include "scheduler/cluster/resources.h"

namespace plimsoll::scheduler {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// Pods form one class if their ClassViews are equal. Answers for one pod of a class hold for all.
/// Pods of one template are in one class.
using ClassId = Interner::Id;

/// Description of a class. Immutable while any pod belongs to it.
struct PodClass {
  ClassId id = Interner::kNone;
  /// Unique for ever, unlike `id`, which is reused. Tells cached data of this class from data of an
  /// earlier class with the same id.
  std::uint64_t serial = 0;
  /// View of a pod of the class. Owns its texts.
  std::shared_ptr<const ClassView> view;

  // Computed from the view.
  std::int32_t priority = 0;
  PodRequests requests;
  std::vector<HostPort> host_ports;  // without duplicates
  bool has_claims = false;           // some volume is a claim
  bool has_required_anti_affinity = false;
  bool has_pod_affinity = false;  // any pod affinity or anti-affinity, required or preferred
  bool has_expressions = false;   // some toleration has an expression

  std::string_view namespace_() const { return view->namespace_; }
  const api::StringMap& labels() const { return view->labels; }
};

/// Fills in everything but id and serial. REQUIRES: `object` is a pod.
PodClass DescribeClass(const ObjectPtr& object, Interner& resource_names);

}  // namespace plimsoll::scheduler
