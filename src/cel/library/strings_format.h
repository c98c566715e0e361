#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "cel/program.h"
#include "cel/value.h"

namespace plimsoll::cel {

/// How the clauses of a format write values. Each answers the text, or what is wrong with the
/// value.
class FormatClauses {
 public:
  using Written = std::expected<std::string, std::string>;

  virtual ~FormatClauses() = default;
  virtual Written String(const Value& value) const = 0;
  virtual Written Decimal(const Value& value) const = 0;
  virtual Written Fixed(const Value& value, std::optional<int> precision) const = 0;
  virtual Written Scientific(const Value& value, std::optional<int> precision) const = 0;
  virtual Written Binary(const Value& value) const = 0;
  virtual Written Hex(const Value& value, bool is_upper) const = 0;
  virtual Written Octal(const Value& value) const = 0;
};

/// `'%s is %d'.format(['a', 1])` by these clauses. Arguments that no clause asks for are ignored.
Value FormatBy(const FormatClauses& clauses, Evaluation& evaluation, const Value* arguments);

/// Precisions beyond this are refused; upstream would write out as many zeros.
inline constexpr int kPrecisionMax = 1 << 20;

// What the versions of the strings library have in common.
std::string BinaryText(std::uint64_t magnitude, bool is_negative);
std::string HexText(std::string_view bytes, bool is_upper);
/// Of an Int or Uint, to the base 8 or 16.
std::string IntegerText(const Value& value, int base, bool is_upper);
/// printf's %.*f or %.*e.
std::string PlainText(double value, char verb, int precision);

/// The implementation of version 2, which writes numbers as English readers expect them:
/// `1,234,567.891000`, `1.5×10⁰³`.
Value FormatText(Evaluation& evaluation, const Value* arguments);

}  // namespace plimsoll::cel
