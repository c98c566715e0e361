#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/persistent_volume.h"
#include "api/field_error.h"
#include "api/meta/object_meta.h"
#include "match/node_constraints.h"
#include "match/rules.h"

/// The plain matcher for node selectors, required and preferred affinity, and the node affinity of
/// volumes. A selector is checked once when it is built, and can then be matched with many nodes.
/// All classes here point into their specification, which must outlive them.
namespace plimsoll::match {

/// The part of a node that a selector reads: its labels, and its name for matchFields. A node
/// without a name satisfies every matchFields; volume affinity is matched this way.
struct NodeView {
  std::string_view name;
  const api::StringMap& labels;

  explicit NodeView(const api::ObjectMeta& metadata)
      : name(metadata.name), labels(metadata.labels) {}
  NodeView(std::string_view node_name, const api::StringMap& node_labels)
      : name(node_name), labels(node_labels) {}
};

/// Parses an integer as node affinity does: like strconv.ParseInt, which accepts a sign and leading
/// zeros, unlike tolerations.
std::optional<std::int64_t> LabelInteger(std::string_view text);

/// Returns true if a label requirement is met. REQUIRES: `CheckTerm` reports no error for it.
bool Holds(const api::NodeSelectorRequirement& requirement, const api::StringMap& labels);

/// Returns true if a field requirement is met. Fields other than `metadata.name` read as "".
bool FieldHolds(const api::NodeSelectorRequirement& requirement, std::string_view node_name);

/// Returns true if all requirements of a term without errors are met.
bool Holds(const api::NodeSelectorTerm& term, const NodeView& node);

/// Returns true for a term without requirements, which matches nothing.
bool IsEmpty(const api::NodeSelectorTerm& term);

/// Returns true if a preferred term can add to a score: it has a weight, requirements, and no
/// operator whose gate is off. A term with such an operator matches nothing.
bool CanCount(const api::PreferredSchedulingTerm& term, const Rules& rules);

/// Adds the errors that make the term unusable: unknown operators, wrong numbers of values, invalid
/// values and keys. `at` is the term's path.
void CheckTerm(const api::NodeSelectorTerm& term, const api::FieldPath& at, const Rules& rules,
               api::FieldErrors& errors);

struct SelectorAnswer {
  bool matched = false;
  std::string parse_error;  // errors of invalid terms; only if nothing matched
};

/// A list of terms; a node matches if any term matches.
class NodeSelectorMatcher {
 public:
  NodeSelectorMatcher(const api::NodeSelector& selector, const Rules& rules);

  SelectorAnswer Match(const NodeView& node) const;

  /// Returns the errors of all terms, or "". For callers that reject an invalid selector instead of
  /// ignoring its invalid terms.
  std::string ParseError() const;

 private:
  struct Term {
    const api::NodeSelectorTerm* source;
    api::FieldErrors errors;
  };
  std::vector<Term> terms_;  // without the empty ones
};

/// A pod's nodeSelector and required node affinity. A node must match both.
class RequiredNodeAffinity {
 public:
  RequiredNodeAffinity(const NodeConstraints& pod, const Rules& rules);

  SelectorAnswer Match(const NodeView& node) const;

 private:
  const api::StringMap& node_selector_;
  std::optional<NodeSelectorMatcher> required_;
};

/// A pod's preferred node affinity.
class PreferredNodeAffinity {
 public:
  PreferredNodeAffinity(std::span<const api::PreferredSchedulingTerm> terms, const Rules& rules);

  /// Returns the errors of the invalid terms, or "".
  const std::string& parse_error() const { return parse_error_; }
  /// Returns the sum of the weights of the matching terms. An invalid term adds nothing: a
  /// preference never keeps a pod from being scheduled.
  std::int64_t Score(const NodeView& node) const;

 private:
  std::vector<const api::PreferredSchedulingTerm*> terms_;  // those that can count, without errors
  std::string parse_error_;
};

/// Matches a volume's node affinity with a node's labels. A volume without node affinity matches
/// every node.
SelectorAnswer MatchVolume(const api::PersistentVolume& volume, const api::StringMap& node_labels,
                           const Rules& rules);

}  // namespace plimsoll::match
