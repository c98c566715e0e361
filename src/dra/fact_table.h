#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "cel/device_facts.h"
#include "dra/facts_read.h"

namespace plimsoll::dra {

/// What devices say of themselves, as numbers: equal values have one, so that a question about a
/// fact is a look at a small number of each device, whether or not anyone asked for that fact
/// before. Devices that are equal in everything share a row. Not safe for use by several threads.
class FactTable {
 public:
  /// Of a device, chosen by the caller; small numbers.
  using Slot = std::uint32_t;
  /// Of a fact's value. Small, and given to another when no device has the value any more; kNone:
  /// the device does not have the fact.
  using ValueId = Interner::Id;
  /// The same, never given to another.
  using ValueNumber = std::uint64_t;

  /// Where rows have a fact.
  struct Column {
    FactName fact;
    std::uint32_t users = 0;
    std::vector<std::uint32_t> cells;  // by layout; kUnknown: not looked for yet
  };

  FactTable() = default;
  FactTable(const FactTable&) = delete;
  FactTable& operator=(const FactTable&) = delete;

  /// The facts of the slot's device are these from now on. True when they were others.
  bool Put(Slot slot, const cel::DeviceFacts& facts);
  void Clear(Slot slot);

  /// Stays where it is until the last release.
  Column& AcquireColumn(const FactName& fact);
  void ReleaseColumn(Column& column);

  /// Of an attribute that is the text, whether or not a device has it; to be released.
  ValueId AcquireText(std::string_view text);
  void ReleaseValue(ValueId value) { values_.Release(value); }

  /// Of a slot that has a device.
  class Row {
   public:
    /// Whether any expression can be evaluated over the device.
    bool can_be_evaluated() const { return Word(1) != 0; }

   private:
    friend class FactTable;
    Row(Interner::Id id, const char* words) : id_(id), words_(words) {}
    std::uint32_t Word(std::size_t i) const {
      std::uint32_t word = 0;
      std::memcpy(&word, words_ + i * sizeof word, sizeof word);
      return word;
    }
    Interner::Id id_;
    const char* words_;
  };
  Row RowOf(Slot slot) const {
    const Interner::Id row = rows_by_slot_[slot];
    return {row, rows_.text(row).data()};
  }
  ValueId ValueOf(Column& column, const Row& row) {
    const std::uint32_t layout = row.Word(0);
    if (layout >= column.cells.size() || column.cells[layout] == kUnknown) Find(column, layout);
    const std::uint32_t cell = column.cells[layout];
    if (cell < kWholeRow) return row.Word(cell);
    return cell == kWholeRow ? row.id_ : Interner::kNone;
  }
  ValueNumber NumberOf(const Column& column, ValueId value) const {
    if (value == Interner::kNone) return 0;
    return column.fact.kind == FactName::Kind::Everything ? row_numbers_[value]
                                                          : value_numbers_[value];
  }
  /// One more than the largest that ValueOf can give, kNone apart.
  std::size_t value_bound() const { return std::max(values_.id_limit(), rows_.id_limit()); }

 private:
  // Cells that are no place in a row.
  static constexpr std::uint32_t kUnknown = 0xffff'ffff;
  static constexpr std::uint32_t kAbsent = 0xffff'fffe;
  static constexpr std::uint32_t kWholeRow = 0xffff'fffd;
  // The words of a row: its layout, whether it can be evaluated, then values.
  static constexpr std::uint32_t kDriverCell = 2;
  static constexpr std::uint32_t kMultipleCell = 3;
  static constexpr std::uint32_t kFirstNamedCell = 4;

  /// The names of the facts in a row, attributes first.
  struct Layout {
    std::string driver;
    std::vector<std::string> attributes;
    std::vector<std::string> capacity;
  };

  Interner::Id AcquireLayout(const cel::DeviceFacts& facts);
  Interner::Id AcquireRow(const cel::DeviceFacts& facts);
  void ReleaseRow(Interner::Id row);
  /// What a row holds references to.
  void ReleaseParts(std::string_view row);
  ValueId AcquireValue(std::string_view bytes);
  void Find(Column& column, std::uint32_t layout);

  Interner layout_names_;
  std::vector<Layout> layouts_;  // by id of layout_names_
  Interner values_;
  std::vector<ValueNumber> value_numbers_;  // by id
  Interner rows_;
  std::vector<ValueNumber> row_numbers_;    // by id
  std::vector<Interner::Id> rows_by_slot_;  // kNone: no device
  std::map<FactName, std::unique_ptr<Column>> columns_;
  ValueNumber last_number_ = 0;
  std::string layout_bytes_;  // of the one that is looked up; they keep their memory
  std::string row_bytes_;
};

}  // namespace plimsoll::dra
