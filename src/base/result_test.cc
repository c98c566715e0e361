#include "base/result.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

Status Open(bool ok) {
  if (!ok) return Fail(Reason::NotFound, "no such door");
  return {};
}

Result<std::unique_ptr<int>> Carry(int load) {
  if (load > 10) return FailAt(Reason::Invalid, "spec.load", "must be at most 10");
  return std::make_unique<int>(load);
}

Result<std::string> Deliver(bool open, int load) {
  PL_TRY(Open(open));
  const std::unique_ptr<int> carried = PL_TRY(Carry(load));
  return std::to_string(*carried);
}

TEST(ResultTest, TryUnwrapsTheValueEvenIfItCanOnlyBeMoved) {
  EXPECT_EQ(Deliver(true, 10).value(), "10");
}

TEST(ResultTest, TryReturnsTheFirstErrorAsItWas) {
  EXPECT_EQ(Deliver(false, 11).error(), (Error{Reason::NotFound, "", "no such door"}));
  EXPECT_EQ(Deliver(true, 11).error(), (Error{Reason::Invalid, "spec.load", "must be at most 10"}));
}

TEST(ResultTest, TheTextNamesTheFieldWhereThereIsOne) {
  EXPECT_EQ(Deliver(false, 1).error().Text(), "no such door");
  EXPECT_EQ(Deliver(true, 11).error().Text(), "spec.load: must be at most 10");
}

TEST(ResultTest, AnErrorWithoutReasonIsOurOwnFault) {
  EXPECT_EQ(Error{}.reason, Reason::InternalError);
}

}  // namespace
}  // namespace plimsoll
