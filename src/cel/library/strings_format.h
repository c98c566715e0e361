#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "cel/limits.h"
#include "cel/program.h"
#include "cel/value.h"

namespace plimsoll::cel {

/// Formatting clauses that differ between versions. All versions share texts and integers under
/// `%s`, integers under `%d`, and all values of `%b`, `%o` and `%x`. Each function returns the
/// text, or the error for the value.
/// An interface, because the version of the conformance cases has other clauses than Kubernetes'.
class FormatClauses {
 public:
  using Written = std::expected<std::string, std::string>;

  virtual ~FormatClauses() = default;
  virtual Written String(const Value& value) const = 0;
  virtual Written Decimal(const Value& value) const = 0;
  virtual Written Fixed(const Value& value, std::optional<int> precision) const = 0;
  virtual Written Scientific(const Value& value, std::optional<int> precision) const = 0;
  /// Returns the error of `%b`, `%o`, `%x` and `%X` for other values.
  virtual std::string_view Refusal(char letter) const = 0;
};

/// Formats `'%s is %d'.format(['a', 1])` with these clauses. Ignores superfluous arguments.
Value FormatBy(const FormatClauses& clauses, Evaluation& evaluation, const Value* arguments);

// Code shared by the versions of the strings library.
/// Returns the work of writing that many bytes. Each clause and each element of
/// a list or map must spend it.
std::uint64_t WorkOfWriting(std::size_t bytes);
/// Returns the error `only integers can be formatted, was given string`.
std::unexpected<std::string> NotFor(std::string_view clause, const Value& value);
/// Formats an Int or Uint.
std::string IntegerText(const Value& value);
/// Formats as printf's %.*f or %.*e.
std::string PlainText(double value, char verb, int precision);

/// Implementation of version 2, which formats numbers in English notation:
/// `1,234,567.891000`, `1.5×10⁰³`.
Value FormatText(Evaluation& evaluation, const Value* arguments);

}  // namespace plimsoll::cel
