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

/// The facts that devices publish, as numbers. Equal values have equal numbers, so a query about a
/// fact reads one small number per device, even if the fact was never queried before. Devices with
/// equal facts share a row. Not safe for use by several threads.
class DeviceAttributeTable {
 public:
  /// Index of a device, chosen by the caller. Should be small.
  using Slot = std::uint32_t;
  /// Id of a fact's value. Small; reused once no device has the value. kNone: the device lacks the
  /// fact.
  using ValueId = Interner::Id;
  /// Number of a fact's value. Never reused.
  using ValueNumber = std::uint64_t;

  /// Position of one fact in the rows.
  struct Column {
    FactName fact;
    std::uint32_t users = 0;
    std::vector<std::uint32_t> cells;  // by layout; kUnknown: not looked up yet
  };

  DeviceAttributeTable() = default;
  DeviceAttributeTable(const DeviceAttributeTable&) = delete;
  DeviceAttributeTable& operator=(const DeviceAttributeTable&) = delete;

  /// Sets the facts of the slot's device. Returns true if they differ from the previous ones.
  bool Put(Slot slot, const cel::DeviceFacts& facts);
  void Clear(Slot slot);

  /// Returns the column of a fact. Its address is stable until the last release.
  Column& AcquireColumn(const FactName& fact);
  void ReleaseColumn(Column& column);

  /// Returns the value of a text attribute, even if no device has it. The caller must release it.
  ValueId AcquireText(std::string_view text);
  void ReleaseValue(ValueId value) { values_.Release(value); }

  /// Facts of the device in a slot.
  class Row {
   public:
    /// Returns true if expressions can be evaluated over the device.
    bool can_be_evaluated() const { return Word(1) != 0; }

   private:
    friend class DeviceAttributeTable;
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
  /// Returns one more than the largest id that ValueOf can return, not counting kNone.
  std::size_t value_bound() const { return std::max(values_.id_limit(), rows_.id_limit()); }

 private:
  // Special values of a cell, which are not positions in a row.
  static constexpr std::uint32_t kUnknown = 0xffff'ffff;
  static constexpr std::uint32_t kAbsent = 0xffff'fffe;
  static constexpr std::uint32_t kWholeRow = 0xffff'fffd;
  // Words of a row: its layout, whether it can be evaluated, then the values.
  static constexpr std::uint32_t kDriverCell = 2;
  static constexpr std::uint32_t kMultipleCell = 3;
  static constexpr std::uint32_t kFirstNamedCell = 4;

  /// Names of the facts in a row, attributes first.
  struct Layout {
    std::string driver;
    std::vector<std::string> attributes;
    std::vector<std::string> capacity;
  };

  Interner::Id AcquireLayout(const cel::DeviceFacts& facts);
  Interner::Id AcquireRow(const cel::DeviceFacts& facts);
  void ReleaseRow(Interner::Id row);
  /// Releases everything that a row refers to.
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
  std::string layout_bytes_;  // buffers for lookups; they keep their memory
  std::string row_bytes_;
};

}  // namespace plimsoll::dra
