#include "match/index/taint_table.h"

#include <array>

#include "base/decimal.h"
#include "match/index/id_list.h"

namespace plimsoll::match {
namespace {

using api::TolerationOperator;
using Test = CompiledToleration::Test;

constexpr std::uint64_t kCompileCostPerByte = 20;
constexpr std::uint32_t kSerialMax = 0x7fff'ffff;  // so that twice this number fits an answer

Comparison ComparisonOf(TolerationOperator op) {
  if (op == TolerationOperator::Lt || op == TolerationOperator::SemverLt) return Comparison::Less;
  if (op == TolerationOperator::SemverEq) return Comparison::Equal;
  return Comparison::Greater;
}

/// Compiles the operator and value only. Returns nothing if the toleration can never match.
std::optional<CompiledToleration> ValueTest(const api::Toleration& toleration, const Rules& rules) {
  const auto op = api::ParseTolerationOperator(toleration.op);
  if (!op) return std::nullopt;
  CompiledToleration compiled;
  compiled.comparison = ComparisonOf(*op);
  if (*op == TolerationOperator::Exists) {
    compiled.test = Test::Anything;
  } else if (*op == TolerationOperator::Equal) {
    compiled.test = Test::Value;
  } else if (api::IsNumeric(*op)) {
    const auto number = DecimalValue(toleration.value);
    if (!rules.comparison || !number) return std::nullopt;
    compiled.test = Test::Number;
    compiled.number = *number;
  } else {
    Result<Semver> version = ParseSemverTolerant(toleration.value);
    if (!rules.semver || !version) return std::nullopt;
    compiled.test = Test::Version;
    compiled.version = std::move(*version);
  }
  return compiled;
}

}  // namespace

TaintId TaintTable::Acquire(const api::Taint& taint) {
  const std::array<Interner::Id, 3> ids{keys_.Acquire(taint.key).id,
                                        values_.Acquire(taint.value).id,
                                        effects_.Acquire(taint.effect).id};
  const auto [id, is_new] = taints_.Acquire(AsText(ids));
  if (!is_new) {
    // The taint holds these references already.
    keys_.Release(ids[0]);
    values_.Release(ids[1]);
    effects_.Release(ids[2]);
    return id;
  }
  if (id >= facts_.size()) facts_.resize(id + 1);
  Facts& facts = facts_[id];
  facts.key = ids[0];
  facts.value = ids[1];
  facts.effect = ids[2];
  if (++facts.serial > kSerialMax) {
    // The serial wraps: answers about early taints with this id would look current.
    facts.serial = 1;
    for (Expression& one : evaluations_) {
      if (id < one.answers.size()) one.answers[id] = 0;
    }
  }
  ++version_;
  const auto effect = api::ParseTaintEffect(taint.effect);
  facts.is_preferred = effect == api::TaintEffect::PreferNoSchedule;
  facts.blocks = effect.has_value() && !facts.is_preferred;
  facts.number = DecimalValue(taint.value);
  if (Result<Semver> version = ParseSemverTolerant(taint.value)) {
    facts.version = std::make_unique<Semver>(std::move(*version));
  }
  AddToGroup(id);
  return id;
}

void TaintTable::Release(TaintId id) {
  if (!taints_.Release(id)) return;
  RemoveFromGroup(id);
  Facts& facts = facts_[id];
  const Interner::Id key = facts.key;
  values_.Release(facts.value);
  effects_.Release(facts.effect);
  facts.key = Interner::kNone;
  facts.number.reset();
  facts.version.reset();
  Tidy(key);
  ReleaseKey(key);
}

void TaintTable::AddToGroup(TaintId id) {
  Facts& facts = facts_[id];
  if (facts.key >= groups_.size()) groups_.resize(facts.key + 1);
  Group& group = groups_[facts.key];
  facts.position = static_cast<std::uint32_t>(group.members.size());
  group.members.push_back(id);
  if (facts.number) group.numbers.Insert(*facts.number, id);
  if (facts.version) group.versions.Insert(*facts.version, id);
  Tidy(facts.key);
}

void TaintTable::RemoveFromGroup(TaintId id) {
  Facts& facts = facts_[id];
  Group& group = groups_[facts.key];
  const TaintId last = group.members.back();
  group.members[facts.position] = last;
  facts_[last].position = facts.position;
  group.members.pop_back();
  if (facts.number) group.numbers.Forget();
  if (facts.version) group.versions.Forget();
}

void TaintTable::ReleaseKey(Interner::Id key) {
  if (keys_.Release(key) && key < groups_.size()) groups_[key] = {};
}

bool TaintTable::IsCurrent(const OrderedValues<std::int64_t>::Entry& entry,
                           Interner::Id key) const {
  return facts_[entry.id].key == key && facts_[entry.id].number == entry.value;
}

bool TaintTable::IsCurrent(const OrderedValues<Semver>::Entry& entry, Interner::Id key) const {
  const Facts& facts = facts_[entry.id];
  return facts.key == key && facts.version != nullptr && Compare(*facts.version, entry.value) == 0;
}

void TaintTable::Tidy(Interner::Id key) {
  const auto is_current = [&](const auto& entry) { return IsCurrent(entry, key); };
  groups_[key].numbers.Tidy(is_current);
  groups_[key].versions.Tidy(is_current);
}

std::optional<CompiledToleration> TaintTable::Compile(const api::Toleration& toleration) {
  CompiledToleration compiled;
  if (!toleration.expression.empty()) {
    if (rules_.evaluator == nullptr) return std::nullopt;
    compiled.test = Test::Expression;
    compiled.expression = expressions_.Acquire(toleration.expression).id;
    if (compiled.expression >= evaluations_.size()) evaluations_.resize(compiled.expression + 1);
    return compiled;
  }
  auto value_test = ValueTest(toleration, rules_);
  if (!value_test) return std::nullopt;
  compiled = std::move(*value_test);
  if (!toleration.key.empty()) compiled.key = keys_.Acquire(toleration.key).id;
  if (!toleration.effect.empty()) compiled.effect = effects_.Acquire(toleration.effect).id;
  if (compiled.test == Test::Value) compiled.value = values_.Acquire(toleration.value).id;
  return compiled;
}

void TaintTable::Release(const CompiledToleration& toleration) {
  if (toleration.expression != Interner::kNone && expressions_.Release(toleration.expression)) {
    evaluations_[toleration.expression] = {};
  }
  if (toleration.key != Interner::kNone) ReleaseKey(toleration.key);
  if (toleration.effect != Interner::kNone) effects_.Release(toleration.effect);
  if (toleration.value != Interner::kNone) values_.Release(toleration.value);
}

bool TaintTable::Tolerates(const CompiledToleration& toleration, TaintId id) {
  const Facts& facts = facts_[id];
  if (toleration.effect != Interner::kNone && toleration.effect != facts.effect) return false;
  if (toleration.key != Interner::kNone && toleration.key != facts.key) return false;
  switch (toleration.test) {
    case Test::Anything:
      return true;
    case Test::Value:
      return toleration.value == facts.value;
    case Test::Number:
      return facts.number && Fits(toleration.comparison, Order(*facts.number, toleration.number));
    case Test::Version:
      return facts.version &&
             Fits(toleration.comparison, Order(*facts.version, *toleration.version));
    case Test::Expression:
      return EvaluateOnce(toleration.expression, id);
  }
  return false;
}

std::optional<bool> TaintTable::KnownAnswer(Interner::Id expression, TaintId id) const {
  const auto& answers = evaluations_[expression].answers;
  if (id >= answers.size() || answers[id] / 2 != facts_[id].serial) return std::nullopt;
  return answers[id] % 2 != 0;
}

bool TaintTable::EvaluateOnce(Interner::Id expression, TaintId id) {
  if (const std::optional<bool> known = KnownAnswer(expression, id)) return *known;
  auto& answers = evaluations_[expression].answers;
  const std::string_view text = expressions_.text(expression);
  // The first evaluation compiles the expression, at a cost that depends on its length.
  if (answers.empty()) cost_ += kCompileCostPerByte * text.size();
  if (id >= answers.size()) answers.resize(facts_.size());
  const Facts& facts = facts_[id];
  const api::Taint taint{
      keys_.text(facts.key), values_.text(facts.value), effects_.text(facts.effect), {}};
  const bool holds = rules_.evaluator->EvaluateCounted(text, taint, cost_).value_or(false);
  answers[id] = facts.serial * 2 + (holds ? 1 : 0);
  return holds;
}

void TaintTable::MarkTolerated(const CompiledToleration& toleration,
                               std::span<std::uint8_t> tolerated) {
  if (toleration.key == Interner::kNone) {
    for (TaintId id = 0; id < facts_.size(); ++id) {
      if (tolerated[id] == 0 && IsLive(id) && Tolerates(toleration, id)) tolerated[id] = 1;
    }
    return;
  }
  if (toleration.key >= groups_.size()) return;
  const Group& group = groups_[toleration.key];
  const auto mark = [&](const auto& entry) {
    const bool effect_fits =
        toleration.effect == Interner::kNone || toleration.effect == facts_[entry.id].effect;
    if (effect_fits && IsCurrent(entry, toleration.key)) tolerated[entry.id] = 1;
  };
  if (toleration.test == Test::Number) {
    group.numbers.ForEach(toleration.comparison, toleration.number, mark);
  } else if (toleration.test == Test::Version) {
    group.versions.ForEach(toleration.comparison, *toleration.version, mark);
  } else {
    for (const TaintId id : group.members) {
      if (Tolerates(toleration, id)) tolerated[id] = 1;
    }
  }
}

api::Taint TaintTable::taint(TaintId id) const {
  const Facts& facts = facts_[id];
  return {.key = keys_.text(facts.key),
          .value = values_.text(facts.value),
          .effect = effects_.text(facts.effect),
          .time_added = {}};
}

std::size_t TaintTable::TextBytes() const {
  return keys_.MemoryBytes() + values_.MemoryBytes() + effects_.MemoryBytes() +
         expressions_.MemoryBytes();
}

std::size_t TaintTable::MemoryBytes() const {
  std::size_t bytes = TextBytes() + taints_.MemoryBytes() + facts_.capacity() * sizeof(Facts) +
                      groups_.capacity() * sizeof(Group);
  for (const Facts& facts : facts_) bytes += facts.version == nullptr ? 0 : sizeof(Semver);
  for (const Group& group : groups_) {
    bytes += group.members.capacity() * sizeof(TaintId) + group.numbers.MemoryBytes() +
             group.versions.MemoryBytes();
  }
  for (const Expression& one : evaluations_)
    bytes += one.answers.capacity() * sizeof(one.answers[0]);
  return bytes;
}

}  // namespace plimsoll::match
