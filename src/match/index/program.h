#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/core/pod.h"
#include "base/bitmap.h"
#include "base/interner.h"
#include "match/index/label_table.h"
#include "match/index/taint_table.h"
#include "match/rules.h"

namespace plimsoll::match {

/// A requirement on the node's name; any other field reads as "" and is decided beforehand.
struct CompiledField {
  bool wants_equal = true;
  bool is_name = true;
  std::string value;

  bool Holds(std::string_view node_name) const {
    if (node_name.empty()) return true;
    return ((is_name ? node_name : std::string_view()) == value) == wants_equal;
  }
};

struct CompiledTerm {
  std::vector<CompiledRequirement> labels;
  std::vector<CompiledField> fields;
};

struct CompiledPreference {
  std::int64_t weight = 0;
  CompiledTerm term;
};

/// Which parts of a pod's question count. The preferred affinity goes with the selection.
enum class ProgramParts : std::uint8_t { Both, Tolerations, Selection };

/// What a pod asks of a node, in the ids of the tables, and what is known of the answer.
struct Program {
  bool looks_at_taints = true;
  std::vector<CompiledToleration> tolerations;  // without those that never match; expressions last
  std::size_t plain_tolerations = 0;            // that are no expressions
  std::uint64_t prepared_at = 0;  // version of the taints, plus 1, whose answers are all known
  std::vector<CompiledRequirement> node_selector;
  bool has_required = false;
  std::vector<CompiledTerm> required;  // without the empty and the unusable ones
  std::vector<CompiledPreference> preferred;

  Bitmap nodes;                // the nodes that are accepted, as of change `seen`
  std::uint64_t seen = 0;      // position in the index's log
  bool is_evaluated = false;   // `nodes` holds something
  std::uint32_t pins = 0;      // handles
  std::uint64_t last_use = 0;  // for the choice of what to forget

  std::size_t MemoryBytes() const;
};

/// Everything in the pod that decides about nodes, as bytes: equal for pods of one template, and
/// only then.
void AppendContent(const api::PodSpec& pod, ProgramParts parts, std::string& out);

Program Compile(const api::PodSpec& pod, ProgramParts parts, const Rules& rules, TaintTable& taints,
                LabelTable& labels);
/// Gives back the program's references to the tables.
void Release(const Program& program, TaintTable& taints, LabelTable& labels);

}  // namespace plimsoll::match
