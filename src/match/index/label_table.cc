#include "match/index/label_table.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/core/version_operand.h"
#include "match/index/id_list.h"
#include "match/node_selector.h"

namespace plimsoll::match {
namespace {

using api::NodeSelectorOperator;

Comparison ComparisonOf(NodeSelectorOperator op) {
  if (op == NodeSelectorOperator::SemverEq) return Comparison::Equal;
  const bool less = op == NodeSelectorOperator::Lt || op == NodeSelectorOperator::SemverLt;
  return less ? Comparison::Less : Comparison::Greater;
}

bool IsListed(const CompiledRequirement& requirement, ValueId value) {
  return std::ranges::find(requirement.values, value) != requirement.values.end();
}

}  // namespace

ColumnId LabelTable::AcquireColumn(std::string_view key) {
  const ColumnId column = keys_.Acquire(key).id;
  if (column >= columns_.size()) columns_.emplace_back();
  return column;
}

void LabelTable::ReleaseColumn(ColumnId column) {
  if (!keys_.Release(column)) return;
  std::destroy_at(&columns_[column]);
  std::construct_at(&columns_[column]);
}

LabelTable::ShapeId LabelTable::AcquireShape(const api::StringMap& labels) {
  scratch_.clear();
  for (const auto& [key, value] : labels) scratch_.push_back(AcquireColumn(key));
  const auto [shape, is_new] = shapes_.Acquire(AsText(scratch_));
  if (!is_new) {
    // The shape holds these references already.
    for (const ColumnId column : scratch_) keys_.Release(column);
  }
  return shape;
}

void LabelTable::ReleaseShape(ShapeId shape) {
  if (!shapes_.IsLastReference(shape)) {
    shapes_.Release(shape);
    return;
  }
  const auto columns = AsIds(shapes_.text(shape));
  scratch_.assign(columns.begin(), columns.end());
  shapes_.Release(shape);
  for (const ColumnId column : scratch_) ReleaseColumn(column);
}

bool LabelTable::Set(NodeSlot slot, const api::StringMap& labels, std::size_t slot_limit) {
  if (slot >= shape_of_.size()) shape_of_.resize(slot + 1, Interner::kNone);
  const ShapeId old_shape = shape_of_[slot];
  const ShapeId new_shape = AcquireShape(labels);
  bool changed = old_shape != new_shape;
  std::size_t i = 0;
  for (const auto& [key, value] : labels) {
    const ColumnId column = AsIds(shapes_.text(new_shape))[i++];
    changed |= columns_[column].Set(slot, value, slot_limit);
  }
  shape_of_[slot] = new_shape;
  if (old_shape == Interner::kNone) return changed;
  if (old_shape != new_shape) ClearMissing(slot, old_shape, new_shape, slot_limit);
  ReleaseShape(old_shape);
  return changed;
}

void LabelTable::ClearMissing(NodeSlot slot, ShapeId old_shape, ShapeId new_shape,
                              std::size_t slot_limit) {
  const auto kept = AsIds(shapes_.text(new_shape));
  for (const ColumnId column : AsIds(shapes_.text(old_shape))) {
    if (std::ranges::find(kept, column) == kept.end()) columns_[column].Clear(slot, slot_limit);
  }
}

void LabelTable::Clear(NodeSlot slot, std::size_t slot_limit) {
  const ShapeId shape = std::exchange(shape_of_[slot], Interner::kNone);
  for (const ColumnId column : AsIds(shapes_.text(shape))) columns_[column].Clear(slot, slot_limit);
  ReleaseShape(shape);
}

CompiledRequirement LabelTable::Compile(const api::NodeSelectorRequirement& requirement) {
  CompiledRequirement compiled;
  compiled.column = AcquireColumn(requirement.key);
  compiled.op = *api::ParseNodeSelectorOperator(requirement.op);
  LabelColumn& column = columns_[compiled.column];
  switch (compiled.op) {
    case NodeSelectorOperator::In:
    case NodeSelectorOperator::NotIn:
      for (const std::string_view value : requirement.values) {
        compiled.values.push_back(column.AcquireValue(value));
      }
      break;
    case NodeSelectorOperator::Exists:
    case NodeSelectorOperator::DoesNotExist:
      break;
    case NodeSelectorOperator::Gt:
    case NodeSelectorOperator::Lt:
      column.NeedNumbers();
      compiled.number = *LabelInteger(requirement.values.front());
      break;
    case NodeSelectorOperator::SemverGt:
    case NodeSelectorOperator::SemverLt:
    case NodeSelectorOperator::SemverEq:
      column.NeedVersions();
      compiled.version = *api::ParseVersionOperand(requirement.values.front()).version;
      break;
  }
  return compiled;
}

CompiledRequirement LabelTable::CompileEqual(std::string_view key, std::string_view value) {
  CompiledRequirement compiled;
  compiled.column = AcquireColumn(key);
  compiled.op = NodeSelectorOperator::In;
  compiled.values.push_back(columns_[compiled.column].AcquireValue(value));
  return compiled;
}

void LabelTable::Release(const CompiledRequirement& requirement) {
  for (const ValueId value : requirement.values) columns_[requirement.column].ReleaseValue(value);
  ReleaseColumn(requirement.column);
}

bool LabelTable::Holds(const CompiledRequirement& requirement, NodeSlot slot) const {
  const LabelColumn& column = columns_[requirement.column];
  const ValueId value = column.Get(slot);
  const bool is_present = value != Interner::kNone;
  switch (requirement.op) {
    case NodeSelectorOperator::In:
      return is_present && IsListed(requirement, value);
    case NodeSelectorOperator::NotIn:
      return !is_present || !IsListed(requirement, value);
    case NodeSelectorOperator::Exists:
      return is_present;
    case NodeSelectorOperator::DoesNotExist:
      return !is_present;
    case NodeSelectorOperator::Gt:
    case NodeSelectorOperator::Lt: {
      if (!is_present) return false;
      const auto number = column.number(value);
      return number && Fits(ComparisonOf(requirement.op), Order(*number, requirement.number));
    }
    case NodeSelectorOperator::SemverGt:
    case NodeSelectorOperator::SemverLt:
    case NodeSelectorOperator::SemverEq: {
      const Semver* const version = is_present ? column.version(value) : nullptr;
      return version != nullptr &&
             Fits(ComparisonOf(requirement.op), Order(*version, *requirement.version));
    }
  }
  return false;
}

void LabelTable::Retain(const CompiledRequirement& requirement, Bitmap& nodes) const {
  const LabelColumn& column = columns_[requirement.column];
  const bool when_absent = requirement.op == NodeSelectorOperator::NotIn ||
                           requirement.op == NodeSelectorOperator::DoesNotExist;
  const bool when_present = requirement.op == NodeSelectorOperator::NotIn ||
                            requirement.op == NodeSelectorOperator::Exists;
  LabelColumn::Answers answers = column.NewAnswers(when_absent, when_present);
  switch (requirement.op) {
    case NodeSelectorOperator::In:
    case NodeSelectorOperator::NotIn:
      for (const ValueId value : requirement.values) answers[value + 1] = when_present ? 0 : 1;
      break;
    case NodeSelectorOperator::Exists:
    case NodeSelectorOperator::DoesNotExist:
      break;
    case NodeSelectorOperator::Gt:
    case NodeSelectorOperator::Lt:
      column.MarkNumbers(ComparisonOf(requirement.op), requirement.number, answers);
      break;
    case NodeSelectorOperator::SemverGt:
    case NodeSelectorOperator::SemverLt:
    case NodeSelectorOperator::SemverEq:
      column.MarkVersions(ComparisonOf(requirement.op), *requirement.version, answers);
      break;
  }
  column.Retain(answers, nodes);
}

api::StringMap LabelTable::Labels(NodeSlot slot) const {
  std::vector<api::StringMap::Entry> entries;
  for (const ColumnId id : AsIds(shapes_.text(shape_of_[slot]))) {
    entries.emplace_back(keys_.text(id), columns_[id].text(columns_[id].Get(slot)));
  }
  return api::StringMap(std::move(entries));
}

std::optional<std::string_view> LabelTable::Find(NodeSlot slot, std::string_view key) const {
  const ColumnId id = keys_.Find(key);
  if (id == Interner::kNone) return std::nullopt;
  const ValueId value = columns_[id].Get(slot);
  return value == Interner::kNone ? std::nullopt : std::optional(columns_[id].text(value));
}

std::size_t LabelTable::TextBytes() const {
  std::size_t bytes = keys_.MemoryBytes();
  for (const LabelColumn& column : columns_) bytes += column.TextBytes();
  return bytes;
}

std::size_t LabelTable::MemoryBytes() const {
  std::size_t bytes = keys_.MemoryBytes() + shapes_.MemoryBytes() +
                      shape_of_.capacity() * sizeof(ShapeId) +
                      columns_.size() * sizeof(LabelColumn);
  for (const LabelColumn& column : columns_) bytes += column.MemoryBytes();
  return bytes;
}

}  // namespace plimsoll::match
