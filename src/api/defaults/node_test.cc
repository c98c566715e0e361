#include <gtest/gtest.h>

#include "api/defaults/defaults_case_for_test.h"

namespace plimsoll::api {
namespace {

class DefaultNodeTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultNodeTest, AreAnApiServers) { EXPECT_EQ(DefaultsFault(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(
    All, DefaultNodeTest,
    testing::ValuesIn<DefaultsCase>({
        {"NodeAllocatable",
         R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":"4"}}})", "status",
         R"({"capacity":{"cpu":"4"},"allocatable":{"cpu":"4"}})"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
