#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "cel/program.h"
#include "cel/value.h"

namespace plimsoll::cel {

/// How a version's clauses write values, beside what all versions write the same way: texts and
/// whole numbers under `%s`, whole numbers under `%d`, and all that `%b`, `%o` and `%x` take. Each
/// answers the text, or what is wrong with the value.
class FormatClauses {
 public:
  using Written = std::expected<std::string, std::string>;

  virtual ~FormatClauses() = default;
  virtual Written String(const Value& value) const = 0;
  virtual Written Decimal(const Value& value) const = 0;
  virtual Written Fixed(const Value& value, std::optional<int> precision) const = 0;
  virtual Written Scientific(const Value& value, std::optional<int> precision) const = 0;
  /// What `%b`, `%o`, `%x` and `%X` say of other values.
  virtual std::string_view Refusal(char letter) const = 0;
};

/// `'%s is %d'.format(['a', 1])` by these clauses. Arguments that no clause asks for are ignored.
Value FormatBy(const FormatClauses& clauses, Evaluation& evaluation, const Value* arguments);

/// Precisions beyond this are refused; upstream would write out as many zeros.
inline constexpr int kPrecisionMax = 1 << 20;

// What the versions of the strings library have in common.
/// Of writing a value that came to so many bytes, which a clause and every part of a list or map
/// must account for.
std::uint64_t WorkOfWriting(std::size_t bytes);
/// `only integers can be formatted, was given string`
std::unexpected<std::string> NotFor(std::string_view clause, const Value& value);
/// Of an Int or Uint.
std::string IntegerText(const Value& value);
/// printf's %.*f or %.*e.
std::string PlainText(double value, char verb, int precision);

/// The implementation of version 2, which writes numbers as English readers expect them:
/// `1,234,567.891000`, `1.5×10⁰³`.
Value FormatText(Evaluation& evaluation, const Value* arguments);

}  // namespace plimsoll::cel
