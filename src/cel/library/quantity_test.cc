#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(QuantityTest, QuantitiesAreReadAndCompared) {
  EXPECT_EQ(Differences({
                {"quantity('1Gi').isGreaterThan(quantity('1G'))", "true @3"},
                {"quantity('1').isLessThan(quantity('1001m'))", "true @3"},
                {"quantity('1') == quantity('1000m')", "true @3"},
                {"quantity('1').compareTo(quantity('2'))", "-1 @3"},
                {"isQuantity('1.5e3')", "true @1"},
                {"isQuantity('1x')", "false @1"},
                {"quantity('x')",
                 "error: quantities must match the regular expression "
                 "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$' @1"},
            }),
            "");
}

TEST(QuantityTest, Arithmetic) {
  EXPECT_EQ(
      Differences({
          {"quantity('1.5Gi').add(quantity('512Mi'))", R"(quantity("2Gi") @3)"},
          {"quantity('50k').sub(1).asInteger()", "49999 @3"},
          {"quantity('70k') == quantity('50k').add(quantity('20k'))", "error: no such overload @5"},
          {"quantity('50k').add(quantity('20k')) == quantity('70k')", "true @5"},
          {"sign(quantity('-1'))", "-1 @2"},
          {"quantity('1.5').isInteger()", "false @2"},
          {"quantity('1.5').asInteger()", "error: cannot convert value to integer @2"},
          {"quantity('250m').asApproximateFloat()", "0.25 @2"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
