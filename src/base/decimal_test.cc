#include "base/decimal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>

namespace plimsoll {
namespace {

TEST(DecimalTest, OneTextPerNumber) {
  struct Row {
    std::string_view text;
    DecimalFault fault;
    std::int64_t value = 0;
  };
  using enum DecimalFault;
  for (const Row& row : {
           Row{"0", None, 0},
           Row{"7", None, 7},
           Row{"-5", None, -5},
           Row{"9223372036854775807", None, std::numeric_limits<std::int64_t>::max()},
           Row{"-9223372036854775808", None, std::numeric_limits<std::int64_t>::min()},
           Row{"9223372036854775808", OutOfRange},
           Row{"-9223372036854775809", OutOfRange},
           Row{"99999999999999999999999999", OutOfRange},
           Row{"", Empty},
           Row{"-", NotCanonical},
           Row{"-0", NotCanonical},
           Row{"+5", NotCanonical},
           Row{"--5", NotCanonical},
           Row{"007", NotCanonical},
           Row{"-07", NotCanonical},
           Row{"00", NotCanonical},
           Row{" 1", NotCanonical},
           Row{"1 ", NotCanonical},
           Row{"1.0", NotCanonical},
           Row{"1_000", NotCanonical},
           Row{"0x10", NotCanonical},
           Row{"99999999999999999999999999x", NotCanonical},
           Row{"٣", NotCanonical},
       }) {
    const Decimal got = ParseDecimal(row.text);
    EXPECT_EQ(got.fault, row.fault) << row.text;
    const std::optional<std::int64_t> want =
        row.fault == None ? std::optional(row.value) : std::nullopt;
    EXPECT_EQ(DecimalValue(row.text), want) << row.text;
  }
}

RC_GTEST_PROP(DecimalTest, EveryNumberReadsBack, (std::int64_t number)) {
  RC_ASSERT(DecimalValue(std::to_string(number)) == number);
}

}  // namespace
}  // namespace plimsoll
