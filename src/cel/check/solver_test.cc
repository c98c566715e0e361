#include "cel/check/solver.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

class TypeSolverTest : public testing::Test {
 protected:
  const Type* T(std::string_view text) { return *pool_.Parse(text); }

  TypePool pool_;
  TypeSolver solver_{pool_};
};

TEST_F(TypeSolverTest, DynAndAnyTakeEverything) {
  EXPECT_TRUE(solver_.IsAssignable(types::kDyn, types::kInt));
  EXPECT_TRUE(solver_.IsAssignable(types::kInt, types::kAny));
  EXPECT_TRUE(solver_.IsAssignable(T("list(dyn)"), T("list(int)")));
  EXPECT_FALSE(solver_.IsAssignable(types::kInt, types::kUint));
  EXPECT_FALSE(solver_.IsAssignable(T("list(int)"), T("map(int, int)")));
}

TEST_F(TypeSolverTest, NullGoesWhereNothingElseIsExpressible) {
  for (const std::string_view text : {"null", "timestamp", "net.IP", "wrapper(int)"}) {
    EXPECT_TRUE(solver_.IsAssignable(T(text), types::kNull)) << text;
  }
  EXPECT_FALSE(solver_.IsAssignable(types::kInt, types::kNull));
  EXPECT_TRUE(solver_.IsAssignable(T("wrapper(int)"), types::kInt));
  EXPECT_FALSE(solver_.IsAssignable(T("wrapper(int)"), types::kUint));
}

TEST_F(TypeSolverTest, VariablesAreBoundOnceAndGeneralized) {
  const Type* const a = solver_.NewVariable();
  EXPECT_TRUE(solver_.IsAssignable(types::kInt, a));
  EXPECT_EQ(solver_.Substitute(a), types::kInt);
  EXPECT_FALSE(solver_.IsAssignable(types::kString, a));
  EXPECT_TRUE(solver_.IsAssignable(types::kDyn, a));
  EXPECT_EQ(solver_.Substitute(a), types::kDyn);
}

TEST_F(TypeSolverTest, AFailedAttemptBindsNothing) {
  const Type* const a = solver_.NewVariable();
  const std::array to{a, types::kInt};
  const std::array from{types::kString, types::kBool};
  EXPECT_FALSE(solver_.AreAssignable(to, from));
  EXPECT_EQ(solver_.Substitute(a), a);
  EXPECT_EQ(solver_.SubstituteAll(pool_.List(a)), T("list(dyn)"));
}

TEST_F(TypeSolverTest, NoVariableStandsInsideItself) {
  const Type* const a = solver_.NewVariable();
  EXPECT_FALSE(solver_.IsAssignable(a, pool_.List(a)));
}

TEST_F(TypeSolverTest, TheMoreGeneralTypeWins) {
  EXPECT_EQ(TypeSolver::MostGeneral(types::kInt, types::kDyn), types::kDyn);
  EXPECT_EQ(TypeSolver::MostGeneral(T("list(dyn)"), T("list(int)")), T("list(dyn)"));
  EXPECT_EQ(TypeSolver::MostGeneral(T("map(int, int)"), T("map(int, dyn)")), T("map(int, dyn)"));
}

}  // namespace
}  // namespace plimsoll::cel
