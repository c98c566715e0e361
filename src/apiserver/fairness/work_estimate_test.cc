#include "apiserver/fairness/work_estimate.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

struct WidthCase {
  std::string name;
  std::string verb;
  std::string query;
  std::size_t stored;
  std::uint32_t want;
};

class EstimateSeatsTest : public testing::TestWithParam<WidthCase> {};

TEST_P(EstimateSeatsTest, NeedsSoManySeats) {
  ParsedRequest parsed;
  parsed.info.verb = GetParam().verb;
  parsed.target = *net::ParseTarget("/api/v1/pods" + GetParam().query);
  if (GetParam().name == "OneObject") parsed.info.name = "x";
  const ApiRequest request({}, std::move(parsed));
  EXPECT_EQ(EstimateSeats(request, GetParam().stored, 10), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, EstimateSeatsTest,
                         testing::ValuesIn<WidthCase>({
                             {"Get", "get", "", 100'000, 1},
                             {"Create", "create", "", 100'000, 1},
                             {"OneObject", "list", "", 100'000, 1},
                             {"NoObjects", "list", "", 0, 1},
                             {"AHundred", "list", "", 100, 1},
                             {"OneMore", "list", "", 101, 2},
                             {"TheMost", "list", "", 100'000, 10},
                             {"Limit", "list", "?limit=150", 100'000, 2},
                             {"LimitThatTheCacheIgnores", "list", "?limit=150&resourceVersion=0",
                              100'000, 10},
                             {"BrokenLimit", "list", "?limit=-1", 500, 5},
                             {"HugeLimit", "list", "?limit=99999999999999999999999", 500, 5},
                             {"SelectorsReadAll", "list", "?limit=1&labelSelector=a", 500, 5},
                             {"FromTheStore", "list", "?limit=100&continue=x", 100'000, 2},
                         }),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace plimsoll::apiserver
