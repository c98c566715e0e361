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
#include "dra/device_attribute_table.h"
#include "dra/facts_read.h"
#include "dra/limits.h"

// Rules read few facts (a model, a driver's version), and devices share the values of these facts
// even if each has its own serial number. So a list caches its answers by the numbers of the values
// that it reads. For the selector
// `device.attributes["gpu.example.com"].model == "A100"`:
//
//   column model:  slot 0 -> 1 ("A100"), slot 1 -> 2 ("H100"), slot 2 -> 1, …
//   answers:       {1} -> true, {2} -> false
//
// Numbers are never reused, so an answer for a value that no longer exists does no harm.
//
// A caller queries a rule's list for all devices in a row. So the answers of the latest list, if it
// reads one value, are also in an array.

namespace plimsoll::dra {
namespace {

using Column = DeviceAttributeTable::Column;
using AnswerKey = std::array<DeviceAttributeTable::ValueNumber, kFactsPerListMax>;

struct List {
  std::string key;
  std::uint32_t users = 0;
  bool is_broken = false;  // an expression does not compile
  std::vector<std::shared_ptr<const cel::Compilation>> selectors;
  std::vector<FactName> facts;
  std::vector<Column*> columns;
  struct Required {
    Column* column;
    DeviceAttributeTable::ValueId text;
  };
  std::vector<Required> required;  // quick check: devices with other texts do not match
  boost::unordered_flat_map<AnswerKey, bool, boost::hash<AnswerKey>> answers;
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
    for (const FactName& fact : list->facts) {
      list->columns.push_back(&table.AcquireColumn(fact));
    }
    for (const auto& selector : list->selectors) {
      for (const RequiredText& required : TextsRequiredBy(*selector->ast)) {
        const auto column = std::ranges::find(list->facts, required.attribute);
        if (column == list->facts.end()) continue;
        list->required.push_back(
            {list->columns[static_cast<std::size_t>(column - list->facts.begin())],
             table.AcquireText(required.text)});
      }
    }
    return list;
  }

  void Drop(List& list) {
    for (Column* const column : list.columns) table.ReleaseColumn(*column);
    for (const auto& [column, text] : list.required) table.ReleaseValue(text);
    if (latest == &list) latest = nullptr;
  }

  /// Returns the cached answer of the latest list, for the one value that it reads.
  std::uint64_t& LatestAnswer(const List& list, DeviceAttributeTable::ValueId value) {
    if (latest != &list) {
      latest = &list;
      ++latest_turn;
    }
    return latest_answers[value == Interner::kNone ? 0 : std::size_t{value} + 1];
  }

  bool Answer(List& list, const DeviceAttributeTable::Row& row, const api::Device& device) {
    AnswerKey key{};
    for (std::size_t i = 0; i < list.columns.size(); ++i) {
      key[i] = table.NumberOf(*list.columns[i], table.ValueOf(*list.columns[i], row));
    }
    if (const auto known = list.answers.find(key); known != list.answers.end()) {
      return known->second;
    }
    const bool answer = Evaluate(list, device);
    if (list.answers.size() >= kAnswersPerListMax) list.answers.clear();
    list.answers.emplace(key, answer);
    return answer;
  }

  bool Evaluate(const List& list, const api::Device& device) {
    ++evaluations;
    const cel::DeviceFacts facts = OnlyFacts(list.facts, device.facts);
    return std::ranges::all_of(list.selectors, [&](const auto& selector) {
      return SelectorMatches(*selector, facts).value_or(false);
    });
  }

  const DeviceSelectors& selectors;
  DeviceAttributeTable table;
  std::vector<const api::Device*> devices;  // by slot
  std::map<std::string, ListId, std::less<>> lists_by_key;
  std::vector<std::unique_ptr<List>> lists;
  std::vector<ListId> free_lists;
  /// Answers of the latest list: twice the turn, plus one for true.
  std::vector<std::uint64_t> latest_answers;
  std::uint64_t latest_turn = 0;
  const List* latest = nullptr;
  std::uint64_t evaluations = 0;
};

SelectorMemo::SelectorMemo(const DeviceSelectors& selectors)
    : impl_(std::make_unique<Impl>(selectors)) {}
SelectorMemo::~SelectorMemo() = default;

bool SelectorMemo::Put(Slot slot, const api::Device& device) {
  if (impl_->devices.size() <= slot) impl_->devices.resize(slot + 1);
  impl_->devices[slot] = &device;
  if (!impl_->table.Put(slot, device.facts)) return false;
  impl_->latest = nullptr;  // value ids may have changed their meaning
  if (impl_->latest_answers.size() <= impl_->table.value_bound()) {
    impl_->latest_answers.resize(2 * impl_->table.value_bound() + 1);
  }
  return true;
}

void SelectorMemo::Clear(Slot slot) {
  impl_->table.Clear(slot);
  impl_->devices[slot] = nullptr;
  impl_->latest = nullptr;
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
  impl_->Drop(*released);
  impl_->lists_by_key.erase(released->key);
  released.reset();
  impl_->free_lists.push_back(list);
}

bool SelectorMemo::Matches(ListId list_id, Slot slot) {
  List& list = *impl_->lists[list_id];
  if (list.is_broken) return false;
  if (list.selectors.empty()) return true;
  DeviceAttributeTable& table = impl_->table;
  const DeviceAttributeTable::Row row = table.RowOf(slot);
  if (!row.can_be_evaluated()) return false;
  for (const auto& [column, text] : list.required) {
    if (table.ValueOf(*column, row) != text) return false;
  }
  if (list.columns.size() != 1) return impl_->Answer(list, row, *impl_->devices[slot]);
  std::uint64_t& latest = impl_->LatestAnswer(list, table.ValueOf(*list.columns.front(), row));
  if (latest >> 1 != impl_->latest_turn) {
    latest = impl_->latest_turn << 1 | (impl_->Answer(list, row, *impl_->devices[slot]) ? 1 : 0);
  }
  return (latest & 1) != 0;
}

std::uint64_t SelectorMemo::evaluations() const { return impl_->evaluations; }

}  // namespace plimsoll::dra
