#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node_features.h"
#include "api/core/pod.h"
#include "match/node_constraints.h"

/// The parts of a pod that decide its class. Plugins whose answers are shared by a class read the
/// pod only through these types, so they cannot depend on anything else.
namespace plimsoll::scheduler {

/// A list of a pod. Elements are read through `View::Of(element)`, which is made on access.
template <class Source, class View>
class ViewList {
 public:
  class Iterator {
   public:
    // NOLINTBEGIN(readability-identifier-naming): the standard's names.
    using iterator_concept = std::forward_iterator_tag;
    using value_type = View;
    using difference_type = std::ptrdiff_t;
    // NOLINTEND(readability-identifier-naming)

    Iterator() = default;
    explicit Iterator(const Source* at) : at_(at) {}

    View operator*() const { return View::Of(*at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Source* at_ = nullptr;
  };

  /// REQUIRES: `source` outlives the list.
  explicit ViewList(const std::vector<Source>& source) : source_(&source) {}

  std::size_t size() const { return source_->size(); }
  bool empty() const { return source_->empty(); }
  Iterator begin() const { return Iterator(source_->data()); }
  Iterator end() const { return Iterator(source_->data() + source_->size()); }

 private:
  const std::vector<Source>* source_;
};

struct ControllerView {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
};

/// A host port of a container. All members are empty if the port has none.
struct HostPort {
  std::string_view ip;  // 0.0.0.0 if not set
  std::string_view protocol;
  std::int32_t port = 0;

  static HostPort Of(const api::ContainerPort& port);
  friend bool operator==(const HostPort&, const HostPort&) = default;
};

struct ContainerView {
  std::string_view image;
  std::string_view restart_policy;
  const api::ResourceList& requests;
  ViewList<api::ContainerPort, HostPort> ports;

  static ContainerView Of(const api::Container& container);
};

struct VolumeView {
  api::VolumeKind kind;
  std::string_view claim_name;  // of a PersistentVolumeClaim
  std::string_view image;       // of an image volume
  const codec::Value* disk;     // source of an inline disk; null for claims and other volumes

  static VolumeView Of(const api::Volume& volume);
};

/// Returns true if the volume is a PersistentVolumeClaim or an ephemeral volume.
bool IsClaim(const VolumeView& volume);

/// View of a pod. Every member is part of the class key: AppendClassKey visits all members, also
/// those added later. REQUIRES: the pod outlives the view.
struct ClassView {
  std::string_view namespace_;
  const api::StringMap& labels;
  std::optional<ControllerView> controller;
  std::string_view scheduler_name;
  std::int32_t priority;
  std::optional<std::string_view> preemption_policy;
  match::NodeConstraints node_constraints;
  const api::PodAffinity* pod_affinity;       // null: none
  const api::PodAffinity* pod_anti_affinity;  // null: none
  const std::vector<api::TopologySpreadConstraint>& topology_spread_constraints;
  const api::ResourceList* requests;  // pod-level; null: none
  const api::ResourceList& overhead;
  ViewList<api::Container, ContainerView> init_containers;
  ViewList<api::Container, ContainerView> containers;
  ViewList<api::Volume, VolumeView> volumes;
  const std::vector<api::PodResourceClaim>& resource_claims;
  api::NodeFeatures required_features;

  static ClassView Of(const api::Pod& pod);
};

/// Appends the content of the view. Equal keys mean equal views.
void AppendClassKey(const ClassView& view, std::string& key);

}  // namespace plimsoll::scheduler
