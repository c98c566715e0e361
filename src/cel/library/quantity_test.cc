#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(CelQuantityTest, Reads) {
  EXPECT_EQ(Differences({
                {"quantity('1Gi')", "quantity(\"1Gi\") @1"},
                {"quantity('1.5')", "quantity(\"1500m\") @1"},
                {"quantity('x')",
                 "error: quantities must match the regular expression "
                 "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$' @1"},
                {"isQuantity('1Gi')", "true @1"},
                {"isQuantity(taint.key)", "false @3"},
                {"quantity(taint.value).asInteger()", "42 @4"},
                {"isQuantity('1e2147483647')", "true @2"},
                {"quantity(dyn(1))", "error: no such overload: quantity(int) @1"},
            }),
            "");
}

TEST(CelQuantityTest, Asks) {
  EXPECT_EQ(Differences({
                {"sign(quantity('-5'))", "-1 @2"},
                {"quantity('1.5').asInteger()", "error: cannot convert value to integer @2"},
                {"quantity('1Ki').isInteger()", "true @2"},
                {"quantity('1m').asApproximateFloat()", "0.001 @2"},
                {"quantity('1').compareTo(quantity('1000m'))", "0 @3"},
                {"quantity('2').isGreaterThan(quantity('1'))", "true @3"},
                {"quantity('2').isLessThan(quantity('1'))", "false @3"},
            }),
            "");
}

TEST(CelQuantityTest, Computes) {
  EXPECT_EQ(Differences({
                {"quantity('50k').add(quantity('20k'))", "quantity(\"70k\") @3"},
                {"quantity('50k').add(20)", "quantity(\"50020\") @2"},
                {"quantity('50k').sub(20000)", "quantity(\"30k\") @2"},
                {"quantity('50k').sub(quantity('60k'))", "quantity(\"-10k\") @3"},
                {"quantity('1e5000').add(1)", "error: the quantity has too many digits @2"},
                {"quantity('1').add(dyn(1.5))",
                 "error: no such overload: add(kubernetes.Quantity, double) @2"},
            }),
            "");
}

TEST(CelQuantityTest, ASumIsNoRightSide) {
  EXPECT_EQ(Differences({
                {"quantity('1').add(1) == quantity('2')", "true @4"},
                {"quantity('2') == quantity('1').add(1)", "error: no such overload @4"},
                {"quantity('1') == quantity('1000m')", "true @3"},
                {"dyn(quantity('1')) == dyn('1')", "error: no such overload @3"},
                {"quantity('2') in [quantity('1').add(1)]", "false @14"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
