#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "api/selector/selector.h"
#include "base/result.h"
#include "scheduler/cluster/object_table.h"

/// The pod affinity terms of a pod, with their selectors read.
namespace plimsoll::scheduler {

struct PodTerm {
  std::vector<std::string> namespaces;  // in order, each once
  api::Selector namespace_selector = api::Selector::Nothing();
  api::Selector selector;
  std::string topology_key;

  /// Whether it speaks of such a pod. `namespace_labels` are those of its namespace.
  bool Matches(std::string_view pod_namespace, const api::StringMap& namespace_labels,
               const api::StringMap& labels) const;
  /// The same, with the labels that the namespace has now.
  bool Matches(const ObjectTable& known_namespaces, std::string_view pod_namespace,
               const api::StringMap& labels) const;
  /// Whether the labels of namespaces count at all.
  bool LooksAtNamespaces() const {
    return namespace_selector.is_selectable() && !namespace_selector.empty();
  }
  /// Replaces the namespace selector by the names of those that it matches, so that a change of
  /// other namespaces does not change the term. One that matches every namespace, or more than
  /// kUnrolledMax of them, stays.
  void Unroll(const ObjectTable& known_namespaces);
  static constexpr std::size_t kUnrolledMax = 64;
  /// Equal for terms that are equal.
  void AppendKey(std::string& key) const;
};

struct WeightedPodTerm {
  PodTerm term;
  std::int64_t weight = 0;  // negative: anti-affinity
};

struct PodTerms {
  std::vector<PodTerm> affinity;       // required
  std::vector<PodTerm> anti_affinity;  // required
  std::vector<WeightedPodTerm> preferred;
  /// Selectors that cannot be read, in upstream's words. A list with a fault is empty.
  std::string error;
};
PodTerms ReadPodTerms(const api::Pod& pod);

/// The labels of a namespace; none when it is not known. Good as long as the table's object.
const api::StringMap& LabelsOfNamespace(const ObjectTable& namespaces, std::string_view name);

}  // namespace plimsoll::scheduler
