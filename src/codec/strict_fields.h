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

/// Reads one object of a configuration file. A missing field keeps its default. A field of the
/// wrong kind or an unknown field is a fault. Only the first fault of a file is kept, in one place,
/// so that callers need not check after each field.
class StrictFields {
 public:
  using Fault = std::optional<Error>;

  /// `tree` may be null, which means an empty object. `at` is its path; the root's is empty.
  StrictFields(const Value* tree, std::string at, Fault& fault);
  /// Reports a field that the caller has not read as a fault.
  ~StrictFields();
  StrictFields(const StrictFields&) = delete;
  StrictFields& operator=(const StrictFields&) = delete;

  bool Has(std::string_view key) { return Find(key) != nullptr; }
  void Read(std::string_view key, std::string& out);
  void Read(std::string_view key, bool& out);
  void Read(std::string_view key, std::int64_t& out, std::int64_t low, std::int64_t high);
  void Read(std::string_view key, std::int32_t& out, std::int32_t low, std::int32_t high);
  void Read(std::string_view key, std::vector<std::string>& out);
  /// Reads a duration in Go's format: `1m30s`.
  void Read(std::string_view key, Duration& out);
  /// Accepts any number and ignores it: the field is known, but not used here.
  void SkipNumber(std::string_view key);
  /// Returns the member as it is, or null if it is missing.
  const Value* Find(std::string_view key);

  /// Calls `read(StrictFields&)` with the member, which must be an object, if it exists.
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
