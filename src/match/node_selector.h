#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/persistent_volume.h"
#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/meta/object_meta.h"
#include "match/rules.h"

/// The plain matcher for node selectors, required and preferred affinity, and the node affinity of
/// volumes. A selector is checked once when it is built and may then be asked about many nodes. All
/// classes here point into the specification that they were built from, which must outlive them.
namespace plimsoll::match {

/// What a selector looks at: a node's labels, and its name for matchFields. A node without a name
/// satisfies every matchFields; that is how a volume's affinity is asked.
struct NodeView {
  std::string_view name;
  const api::StringMap& labels;

  explicit NodeView(const api::ObjectMeta& metadata)
      : name(metadata.name), labels(metadata.labels) {}
  NodeView(std::string_view node_name, const api::StringMap& node_labels)
      : name(node_name), labels(node_labels) {}
};

/// An integer as node affinity reads it: strconv.ParseInt, which unlike tolerations takes a sign
/// and leading zeros.
std::optional<std::int64_t> LabelInteger(std::string_view text);

/// Whether a label requirement holds. It must be one that `CheckTerm` finds no fault with.
bool Holds(const api::NodeSelectorRequirement& requirement, const api::StringMap& labels);

/// Whether a field requirement holds. Only `metadata.name` is a field; any other reads as "".
bool FieldHolds(const api::NodeSelectorRequirement& requirement, std::string_view node_name);

/// Whether all requirements of a term without faults hold.
bool Holds(const api::NodeSelectorTerm& term, const NodeView& node);

/// A term with no requirement at all, which matches nothing.
bool IsEmpty(const api::NodeSelectorTerm& term);

/// Whether a preferred term can add to a score: it has a weight and requirements, and no operator
/// whose gate is off, with which it matches nothing and is not looked at further.
bool CanCount(const api::PreferredSchedulingTerm& term, const Rules& rules);

/// What keeps the term from being used: unknown operators, wrong numbers of values, values and keys
/// of wrong syntax. `at` is the term's path.
void CheckTerm(const api::NodeSelectorTerm& term, const api::FieldPath& at, const Rules& rules,
               api::FieldErrors& errors);

struct SelectorAnswer {
  bool matched = false;
  std::string parse_error;  // only when nothing matched: the faults of the terms that have some
};

/// A list of terms of which any is enough.
class NodeSelectorMatcher {
 public:
  NodeSelectorMatcher(const api::NodeSelector& selector, const Rules& rules);

  SelectorAnswer Match(const NodeView& node) const;

  /// The faults of all terms, empty when there are none. Where a selector is refused rather than
  /// matched as far as it goes.
  std::string ParseError() const;

 private:
  struct Term {
    const api::NodeSelectorTerm* source;
    api::FieldErrors errors;
  };
  std::vector<Term> terms_;  // without the empty ones
};

/// A pod's nodeSelector and required node affinity; both must hold.
class RequiredNodeAffinity {
 public:
  RequiredNodeAffinity(const api::PodSpec& pod, const Rules& rules);

  SelectorAnswer Match(const NodeView& node) const;

 private:
  const api::StringMap& node_selector_;
  std::optional<NodeSelectorMatcher> required_;
};

/// A pod's preferred node affinity.
class PreferredNodeAffinity {
 public:
  PreferredNodeAffinity(std::span<const api::PreferredSchedulingTerm> terms, const Rules& rules);

  /// The faults of the terms that cannot be compared, empty when there is none.
  const std::string& parse_error() const { return parse_error_; }
  /// The sum of the weights of the terms that match. A term with a fault adds nothing: a preference
  /// never keeps a pod from being placed.
  std::int64_t Score(const NodeView& node) const;

 private:
  std::vector<const api::PreferredSchedulingTerm*> terms_;  // those that can count, without faults
  std::string parse_error_;
};

/// Whether a volume may be used from a node with these labels. A volume without node affinity may
/// be used everywhere.
SelectorAnswer MatchVolume(const api::PersistentVolume& volume, const api::StringMap& node_labels,
                           const Rules& rules);

}  // namespace plimsoll::match
