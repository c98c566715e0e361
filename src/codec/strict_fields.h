#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "codec/value.h"

namespace plimsoll::codec {

/// Reads one object of a configuration file. What is missing leaves the default alone; what is of
/// the wrong kind, and what nobody asked for, is a fault. The first fault of a whole file is kept
/// in one place, so that reading code need not look after each field.
class StrictFields {
 public:
  using Fault = std::optional<Error>;

  /// `tree` may be null: an empty object. `at` is its path; the root's is empty.
  StrictFields(const Value* tree, std::string at, Fault& fault);
  /// Whatever was not asked for by then is a fault.
  ~StrictFields();
  StrictFields(const StrictFields&) = delete;
  StrictFields& operator=(const StrictFields&) = delete;

  bool Has(std::string_view key) { return Find(key) != nullptr; }
  void Read(std::string_view key, std::string& out);
  void Read(std::string_view key, bool& out);
  void Read(std::string_view key, std::int64_t& out, std::int64_t low, std::int64_t high);
  void Read(std::string_view key, std::int32_t& out, std::int32_t low, std::int32_t high);
  void Read(std::string_view key, std::vector<std::string>& out);
  /// As Go writes it: `1m30s`.
  void Read(std::string_view key, Duration& out);
  /// Any number; it is known and of no use here.
  void SkipNumber(std::string_view key);
  /// The member as it is, null when missing.
  const Value* Find(std::string_view key);

  /// Calls `read(StrictFields&)` with a member that is an object, if there is one.
  template <class ReadOne>
  void Object(std::string_view key, ReadOne&& read) {
    if (const Value* const value = Find(key)) {
      StrictFields fields(value, Path(key), fault_);
      read(fields);
    }
  }
  /// Calls `read(StrictFields&)` for each item of a member that is a list of objects.
  template <class ReadOne>
  void List(std::string_view key, ReadOne&& read) {
    const Value* const value = Find(key);
    if (value == nullptr) return;
    if (!value->is_array()) return Refuse(key, "must be a list");
    std::size_t index = 0;
    for (const Value& item : value->items()) {
      StrictFields fields(&item, Path(key) + "[" + std::to_string(index++) + "]", fault_);
      read(fields);
    }
  }

  void Refuse(std::string_view key, std::string message);
  std::string Path(std::string_view key) const;
  Fault& fault() { return fault_; }

 private:
  const Value* tree_;
  const std::string at_;
  Fault& fault_;
  std::vector<std::string> asked_;
};

}  // namespace plimsoll::codec
