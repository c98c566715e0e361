#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bitmap.h"
#include "base/interner.h"
#include "match/index/label_table.h"
#include "match/index/taint_table.h"
#include "match/node_constraints.h"
#include "match/rules.h"

namespace plimsoll::match {

/// A requirement on the node's name. Any other field reads as "", so its result is constant.
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

/// Parts of a pod to compile. The preferred affinity belongs to Selection.
enum class ProgramParts : std::uint8_t { Both, Tolerations, Selection };

/// A compiled pod: its placement rules as ids of the tables, and the cached result.
struct Program {
  bool checks_taints = true;
  std::vector<CompiledToleration> tolerations;  // without those that never match; expressions last
  std::size_t plain_tolerations = 0;            // number of tolerations without expression
  std::uint64_t prepared_at = 0;  // taint version + 1 up to which all answers are known
  std::vector<CompiledRequirement> node_selector;
  bool has_required = false;
  std::vector<CompiledTerm> required;  // without the empty and the invalid ones
  std::vector<CompiledPreference> preferred;

  Bitmap nodes;                // accepted nodes, as of change `seen`
  std::uint64_t seen = 0;      // position in the index's log
  bool is_evaluated = false;   // `nodes` is valid
  std::uint32_t pins = 0;      // number of handles
  std::uint64_t last_use = 0;  // for eviction from the cache

  std::size_t MemoryBytes() const;
};

/// Encodes everything in the pod that decides about nodes. Equal bytes mean equal rules, as for
/// pods of one template.
void AppendContent(const NodeConstraints& pod, ProgramParts parts, std::string& out);

Program Compile(const NodeConstraints& pod, ProgramParts parts, const Rules& rules,
                TaintTable& taints, LabelTable& labels);
/// Releases the program's references to the tables.
void Release(const Program& program, TaintTable& taints, LabelTable& labels);

}  // namespace plimsoll::match
