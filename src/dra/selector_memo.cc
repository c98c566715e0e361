#include "dra/selector_memo.h"

#include <algorithm>
#include <array>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/interner.h"
#include "dra/facts_read.h"

// The idea: rules ask for few facts (a model, a driver's version), and devices share the values of
// these even where each has a serial number of its own. So there is a column for each fact that
// some list reads, which numbers the values that devices have there, and a list keeps its answers
// by those numbers. For the selector `device.attributes["gpu.example.com"].model == "A100"`:
//
//   column model:  slot 0 -> 1 ("A100"), slot 1 -> 2 ("H100"), slot 2 -> 1, …
//   answers:       {1} -> true, {2} -> false
//
// Numbers are never given out twice, so an answer of a value that is gone does no harm.

namespace plimsoll::dra {
namespace {

/// A list that reads more facts than this is taken to read everything.
constexpr std::size_t kFactsPerListMax = 4;
/// Beyond, the devices hardly share values, and the memory is better spent elsewhere.
constexpr std::size_t kAnswersPerListMax = 1024;

using ValueNumber = std::uint64_t;
using AnswerKey = std::array<ValueNumber, kFactsPerListMax>;

struct Column {
  FactName fact;
  std::uint32_t users = 0;
  Interner values;
  std::vector<ValueNumber> numbers;       // by id of the interner
  std::vector<Interner::Id> ids_by_slot;  // kNone: not looked at yet
};

struct List {
  std::string key;
  std::uint32_t users = 0;
  bool is_broken = false;  // some expression does not compile
  std::vector<std::shared_ptr<const cel::Compilation>> selectors;
  std::vector<FactName> facts;
  std::vector<Column*> columns;
  struct Required {
    Column* column;
    std::string text;
  };
  std::vector<Required> required;  // spares devices with other texts the rest
  boost::unordered_flat_map<AnswerKey, bool, boost::hash<AnswerKey>> answers;
};

struct Device {
  const api::Device* device = nullptr;
  bool can_be_evaluated = false;
};

std::string KeyOf(std::span<const std::string_view> expressions) {
  std::string key;
  for (const std::string_view expression : expressions) {
    key.append(std::to_string(expression.size())).append(1, ':').append(expression);
  }
  return key;
}

}  // namespace

struct SelectorMemo::Impl {
  explicit Impl(const DeviceSelectors& all) : selectors(all) {}

  Column& AcquireColumn(const FactName& fact) {
    std::unique_ptr<Column>& column = columns[fact];
    if (column == nullptr) {
      column = std::make_unique<Column>();
      column->fact = fact;
    }
    ++column->users;
    return *column;
  }

  void ReleaseColumn(Column& column) {
    if (--column.users == 0) columns.erase(FactName(column.fact));
  }

  std::unique_ptr<List> MakeList(std::span<const std::string_view> expressions) {
    auto list = std::make_unique<List>();
    for (const std::string_view expression : expressions) {
      const auto compiled = selectors.Compile(expression);
      if (compiled->stage != cel::Compilation::Stage::Done) {
        list->is_broken = true;
        break;
      }
      for (FactName& fact : FactsReadBy(*compiled->ast)) list->facts.push_back(std::move(fact));
      list->selectors.push_back(compiled);
    }
    if (list->is_broken) return list;
    std::ranges::sort(list->facts);
    const auto repeated = std::ranges::unique(list->facts);
    list->facts.erase(repeated.begin(), repeated.end());
    const FactName everything;
    if (list->facts.size() > kFactsPerListMax ||
        std::ranges::find(list->facts, everything) != list->facts.end()) {
      list->facts = {everything};
    }
    for (const FactName& fact : list->facts) list->columns.push_back(&AcquireColumn(fact));
    for (const auto& selector : list->selectors) {
      for (RequiredText& required : TextsRequiredBy(*selector->ast)) {
        const auto column = std::ranges::find(list->facts, required.attribute);
        if (column == list->facts.end()) continue;
        list->required.push_back(
            {list->columns[static_cast<std::size_t>(column - list->facts.begin())],
             std::move(required.text)});
      }
    }
    return list;
  }

  Interner::Id ValueOf(Column& column, Slot slot) {
    if (column.ids_by_slot.size() <= slot)
      column.ids_by_slot.resize(devices.size(), Interner::kNone);
    Interner::Id& id = column.ids_by_slot[slot];
    if (id == Interner::kNone) {
      const auto acquired =
          column.values.Acquire(FactBytes(column.fact, devices[slot].device->facts));
      id = acquired.id;
      if (column.numbers.size() <= id) column.numbers.resize(id + 1);
      if (acquired.is_new) column.numbers[id] = ++last_number;
    }
    return id;
  }

  void ForgetValues(Slot slot) {
    for (const auto& [fact, column] : columns) {
      if (slot >= column->ids_by_slot.size()) continue;
      Interner::Id& id = column->ids_by_slot[slot];
      if (id != Interner::kNone) column->values.Release(std::exchange(id, Interner::kNone));
    }
  }

  bool Evaluate(const List& list, const api::Device& device) {
    ++evaluations;
    const cel::DeviceFacts facts = OnlyFacts(list.facts, device.facts);
    return std::ranges::all_of(list.selectors, [&](const auto& selector) {
      return SelectorMatches(*selector, facts).value_or(false);
    });
  }

  const DeviceSelectors& selectors;
  std::vector<Device> devices;  // by slot
  std::map<FactName, std::unique_ptr<Column>> columns;
  std::map<std::string, ListId, std::less<>> lists_by_key;
  std::vector<std::unique_ptr<List>> lists;
  std::vector<ListId> free_lists;
  ValueNumber last_number = 0;
  std::uint64_t evaluations = 0;
};

SelectorMemo::SelectorMemo(const DeviceSelectors& selectors)
    : impl_(std::make_unique<Impl>(selectors)) {}
SelectorMemo::~SelectorMemo() = default;

bool SelectorMemo::Put(Slot slot, const api::Device& device) {
  if (impl_->devices.size() <= slot) impl_->devices.resize(slot + 1);
  Device& place = impl_->devices[slot];
  const api::Device* const before = std::exchange(place.device, &device);
  const FactName everything;
  if (before != nullptr &&
      FactBytes(everything, before->facts) == FactBytes(everything, device.facts)) {
    return false;
  }
  impl_->ForgetValues(slot);
  place.can_be_evaluated = CanBeEvaluated(device.facts);
  return true;
}

void SelectorMemo::Clear(Slot slot) {
  impl_->ForgetValues(slot);
  impl_->devices[slot] = {};
}

SelectorMemo::ListId SelectorMemo::Acquire(std::span<const std::string_view> expressions) {
  std::string key = KeyOf(expressions);
  if (const auto known = impl_->lists_by_key.find(key); known != impl_->lists_by_key.end()) {
    ++impl_->lists[known->second]->users;
    return known->second;
  }
  ListId id = static_cast<ListId>(impl_->lists.size());
  if (impl_->free_lists.empty()) {
    impl_->lists.emplace_back();
  } else {
    id = impl_->free_lists.back();
    impl_->free_lists.pop_back();
  }
  impl_->lists[id] = impl_->MakeList(expressions);
  impl_->lists[id]->key = key;
  impl_->lists[id]->users = 1;
  impl_->lists_by_key.emplace(std::move(key), id);
  return id;
}

void SelectorMemo::Release(ListId list) {
  std::unique_ptr<List>& released = impl_->lists[list];
  PL_ASSERT(released != nullptr);
  if (--released->users > 0) return;
  for (Column* const column : released->columns) impl_->ReleaseColumn(*column);
  impl_->lists_by_key.erase(released->key);
  released.reset();
  impl_->free_lists.push_back(list);
}

bool SelectorMemo::Matches(ListId list_id, Slot slot) {
  List& list = *impl_->lists[list_id];
  if (list.is_broken) return false;
  if (list.selectors.empty()) return true;
  const Device& device = impl_->devices[slot];
  if (!device.can_be_evaluated) return false;
  for (const auto& [column, text] : list.required) {
    if (!IsText(column->values.text(impl_->ValueOf(*column, slot)), text)) return false;
  }
  AnswerKey key{};
  for (std::size_t i = 0; i < list.columns.size(); ++i) {
    key[i] = list.columns[i]->numbers[impl_->ValueOf(*list.columns[i], slot)];
  }
  if (const auto known = list.answers.find(key); known != list.answers.end()) return known->second;
  const bool answer = impl_->Evaluate(list, *device.device);
  if (list.answers.size() >= kAnswersPerListMax) list.answers.clear();
  list.answers.emplace(key, answer);
  return answer;
}

std::uint64_t SelectorMemo::evaluations() const { return impl_->evaluations; }

}  // namespace plimsoll::dra
