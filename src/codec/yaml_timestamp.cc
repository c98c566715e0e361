#include "codec/yaml_timestamp.h"

#include <array>
#include <cstddef>

#include "base/text/ascii.h"

namespace plimsoll::codec {
namespace {

int DaysIn(int month, int year) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap ? 1 : 0);
}

/// Reads a timestamp from the front. After the first mismatch, all further reads fail.
class TimestampReader {
 public:
  explicit TimestampReader(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return fits_ && rest_.empty(); }
  bool Next(char c) const { return fits_ && rest_.starts_with(c); }

  void Consume(char c) {
    fits_ = fits_ && rest_.starts_with(c);
    if (fits_) rest_.remove_prefix(1);
  }

  /// Reads a number with this many digits within the bounds; 0 if it does not match.
  int Number(std::size_t digits_min, std::size_t digits_max, int low, int high) {
    int value = 0;
    std::size_t digits = 0;
    while (digits < digits_max && digits < rest_.size() && IsDigit(rest_[digits])) {
      value = value * 10 + (rest_[digits++] - '0');
    }
    fits_ = fits_ && digits >= digits_min && value >= low && value <= high;
    rest_.remove_prefix(digits);
    return fits_ ? value : 0;
  }

  void Fraction() {
    if (rest_.size() < 2 || (rest_[0] != '.' && rest_[0] != ',') || !IsDigit(rest_[1])) return;
    rest_.remove_prefix(1);
    while (!rest_.empty() && IsDigit(rest_.front())) rest_.remove_prefix(1);
  }

  void Zone() {
    if (Next('Z')) return Consume('Z');
    Consume(Next('-') ? '-' : '+');
    Number(2, 2, 0, 24);
    Consume(':');
    Number(2, 2, 0, 60);
  }

 private:
  std::string_view rest_;
  bool fits_ = true;
};

}  // namespace

bool IsYamlTimestamp(std::string_view text) {
  TimestampReader reader(text);
  const int year = reader.Number(4, 4, 0, 9999);
  reader.Consume('-');
  const int month = reader.Number(1, 2, 1, 12);
  reader.Consume('-');
  if (month == 0) return false;
  reader.Number(1, 2, 1, DaysIn(month, year));
  if (reader.AtEnd()) return true;

  const bool has_zone = reader.Next('T') || reader.Next('t');
  reader.Consume(reader.Next('T') ? 'T' : reader.Next('t') ? 't' : ' ');
  reader.Number(1, 2, 0, 23);
  reader.Consume(':');
  reader.Number(1, 2, 0, 59);
  reader.Consume(':');
  reader.Number(1, 2, 0, 59);
  reader.Fraction();
  if (has_zone) reader.Zone();
  return reader.AtEnd();
}

}  // namespace plimsoll::codec
