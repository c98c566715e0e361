#include "dra/device_attribute_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/assert.h"

// A row is the text of an interner: the id of its layout, whether the device can be evaluated, and
// an id for each value. Example: two devices of a driver with the attributes `model` and `serial`:
//
//   layout 0:  driver, multiple allocations, model, serial
//   row 0:     0 1 | 0 ("gpu.example.com"), 1 (false), 2 ("A100"), 3 ("s-17")
//   row 1:     0 1 | 0,                     1,         2,          4 ("s-18")

namespace plimsoll::dra {
namespace {

void AppendWord(std::string& out, std::uint32_t word) {
  const auto bytes = std::bit_cast<std::array<char, sizeof word>>(word);
  out.append(bytes.data(), bytes.size());
}

std::uint32_t WordAt(std::string_view words, std::size_t i) {
  std::uint32_t word = 0;
  std::memcpy(&word, words.data() + i * sizeof word, sizeof word);
  return word;
}

void AppendName(std::string& out, std::string_view name) {
  AppendWord(out, static_cast<std::uint32_t>(name.size()));
  out += name;
}

/// Sets the number of a value with a new id.
template <class Id>
void Renumber(std::vector<DeviceAttributeTable::ValueNumber>& numbers, Id id,
              DeviceAttributeTable::ValueNumber number) {
  if (numbers.size() <= id) numbers.resize(id + 1);
  numbers[id] = number;
}

}  // namespace

Interner::Id DeviceAttributeTable::AcquireLayout(const cel::DeviceFacts& facts) {
  layout_bytes_.clear();
  AppendName(layout_bytes_, facts.driver);
  AppendWord(layout_bytes_, static_cast<std::uint32_t>(facts.attributes.size()));
  for (const auto& attribute : facts.attributes) AppendName(layout_bytes_, attribute.name);
  for (const auto& capacity : facts.capacity) AppendName(layout_bytes_, capacity.name);
  const auto [id, is_new] = layout_names_.Acquire(layout_bytes_);
  if (!is_new) return id;
  if (layouts_.size() <= id) layouts_.resize(id + 1);
  Layout& layout = layouts_[id];
  layout.driver = facts.driver;
  for (const auto& attribute : facts.attributes) layout.attributes.emplace_back(attribute.name);
  for (const auto& capacity : facts.capacity) layout.capacity.emplace_back(capacity.name);
  return id;
}

DeviceAttributeTable::ValueId DeviceAttributeTable::AcquireValue(std::string_view bytes) {
  const auto [id, is_new] = values_.Acquire(bytes);
  if (is_new) Renumber(value_numbers_, id, ++last_number_);
  return id;
}

DeviceAttributeTable::ValueId DeviceAttributeTable::AcquireText(std::string_view text) {
  return AcquireValue(ValueBytes(text));
}

Interner::Id DeviceAttributeTable::AcquireRow(const cel::DeviceFacts& facts) {
  row_bytes_.clear();
  AppendWord(row_bytes_, AcquireLayout(facts));
  AppendWord(row_bytes_, CanBeEvaluated(facts) ? 1 : 0);
  AppendWord(row_bytes_, AcquireValue(ValueBytes(facts.driver)));
  AppendWord(row_bytes_, AcquireValue(ValueBytes(facts.allow_multiple_allocations)));
  for (const auto& attribute : facts.attributes) {
    AppendWord(row_bytes_, AcquireValue(ValueBytes(attribute.value)));
  }
  for (const auto& capacity : facts.capacity) {
    AppendWord(row_bytes_, AcquireValue(capacity.value.Canonical()));
  }
  const auto [row, is_new] = rows_.Acquire(row_bytes_);
  if (is_new) {
    Renumber(row_numbers_, row, ++last_number_);
  } else {
    ReleaseParts(row_bytes_);
  }
  return row;
}

void DeviceAttributeTable::ReleaseParts(std::string_view row) {
  for (std::size_t i = kDriverCell; i < row.size() / sizeof(std::uint32_t); ++i) {
    values_.Release(WordAt(row, i));
  }
  const std::uint32_t layout = WordAt(row, 0);
  if (!layout_names_.Release(layout)) return;
  layouts_[layout] = {};
  for (const auto& [fact, column] : columns_) {
    if (layout < column->cells.size()) column->cells[layout] = kUnknown;
  }
}

void DeviceAttributeTable::ReleaseRow(Interner::Id row) {
  if (!rows_.IsLastReference(row)) {
    rows_.Release(row);
    return;
  }
  row_bytes_ = rows_.text(row);
  rows_.Release(row);
  ReleaseParts(row_bytes_);
}

bool DeviceAttributeTable::Put(Slot slot, const cel::DeviceFacts& facts) {
  if (rows_by_slot_.size() <= slot) rows_by_slot_.resize(slot + 1, Interner::kNone);
  const Interner::Id row = AcquireRow(facts);
  // The new row is acquired before the old one is released, so that shared values keep their ids.
  const Interner::Id before = std::exchange(rows_by_slot_[slot], row);
  if (before != Interner::kNone) ReleaseRow(before);
  return row != before;
}

void DeviceAttributeTable::Clear(Slot slot) {
  const Interner::Id row = std::exchange(rows_by_slot_[slot], Interner::kNone);
  if (row != Interner::kNone) ReleaseRow(row);
}

DeviceAttributeTable::Column& DeviceAttributeTable::AcquireColumn(const FactName& fact) {
  std::unique_ptr<Column>& column = columns_[fact];
  if (column == nullptr) {
    column = std::make_unique<Column>();
    column->fact = fact;
  }
  ++column->users;
  return *column;
}

void DeviceAttributeTable::ReleaseColumn(Column& column) {
  PL_ASSERT(column.users > 0);
  if (--column.users == 0) columns_.erase(FactName(column.fact));
}

void DeviceAttributeTable::Find(Column& column, std::uint32_t layout_id) {
  if (column.cells.size() <= layout_id) column.cells.resize(layouts_.size(), kUnknown);
  const Layout& layout = layouts_[layout_id];
  std::uint32_t& cell = column.cells[layout_id];
  cell = kAbsent;
  const auto find = [&](const std::vector<std::string>& names, std::size_t first) {
    const auto place = PlaceOf(column.fact, names, layout.driver);
    if (place) cell = static_cast<std::uint32_t>(first + *place);
  };
  switch (column.fact.kind) {
    case FactName::Kind::Driver:
      cell = kDriverCell;
      break;
    case FactName::Kind::AllowMultipleAllocations:
      cell = kMultipleCell;
      break;
    case FactName::Kind::Attribute:
      find(layout.attributes, kFirstNamedCell);
      break;
    case FactName::Kind::Capacity:
      find(layout.capacity, kFirstNamedCell + layout.attributes.size());
      break;
    case FactName::Kind::Everything:
      cell = kWholeRow;
      break;
  }
}

}  // namespace plimsoll::dra
