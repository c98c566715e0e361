#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector/selector.h"
#include "base/result.h"
#include "scheduler/cluster/class_view.h"
#include "scheduler/cluster/object_table.h"

/// Pod affinity terms of a pod, with parsed selectors.
namespace plimsoll::scheduler {

struct PodTerm {
  std::vector<std::string> namespaces;  // sorted and unique
  api::Selector namespace_selector = api::Selector::Nothing();
  api::Selector selector;
  std::string topology_key;

  /// Returns true if the term matches the pod. `namespace_labels` are those of its namespace.
  bool Matches(std::string_view pod_namespace, const api::StringMap& namespace_labels,
               const api::StringMap& labels) const;
  /// Same, with the current labels of the namespace.
  bool Matches(const ObjectTable& known_namespaces, std::string_view pod_namespace,
               const api::StringMap& labels) const;
  /// Returns true if the term depends on namespace labels.
  bool NeedsNamespaceLabels() const {
    return namespace_selector.is_selectable() && !namespace_selector.empty();
  }
  /// Replaces the namespace selector by the names of the matching namespaces, so that changes of
  /// other namespaces do not change the term. Keeps a selector that matches every namespace or more
  /// than kNamespacesOfTermMax of them.
  void Unroll(const ObjectTable& known_namespaces);
  /// Appends a key that is equal for equal terms.
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
  /// Errors of invalid selectors, worded as in upstream. A list with an error is empty.
  std::string error;
};
PodTerms ReadPodTerms(const ClassView& pod);

/// Returns the labels of a namespace; none if it is unknown. Valid as long as the table's object.
const api::StringMap& LabelsOfNamespace(const ObjectTable& namespaces, std::string_view name);

}  // namespace plimsoll::scheduler
