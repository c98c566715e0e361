#include "cel/library/static_cost.h"

#include <gtest/gtest.h>

#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

TEST(StaticCostTest, ANewListCostsTheCallAndItsElements) {
  const CallEstimate estimate = StaticCostOfNewList({1, 5}, 2);
  EXPECT_EQ(estimate.cost, (CostRange{13, 21}));
  EXPECT_EQ(estimate.result_size, (CostRange{1, 5}));
}

TEST(StaticCostTest, EvenTheEmptyTextIsSearched) {
  EXPECT_EQ(StaticCostOfRegex({0, 12}, CostRange::Fixed(9)), (CostRange{3, 6}));
}

// The key has up to 317, the value up to 63 and the effect up to 16 code points.
constexpr std::uint64_t kTenth = 1844674407370955264;  // a tenth of unbounded

struct EstimateCase {
  std::string_view expression;
  CostRange cost;
};

void ExpectEstimates(std::initializer_list<EstimateCase> cases) {
  for (const EstimateCase& test : cases) {
    const auto compiled = TolerationEnvironment()->Compile(test.expression);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().Text();
    const CostRange got = TolerationEnvironment()->EstimateCost(*compiled->ast);
    EXPECT_EQ(got.min, test.cost.min) << test.expression;
    EXPECT_EQ(got.max, test.cost.max) << test.expression;
  }
}

TEST(StaticCostTest, OfTexts) {
  ExpectEstimates({
      {"taint.key.endsWith('abcdefghijk')", {4, 4}},
      {"taint.key.contains(taint.value)", {4, 4 + 32 * 7}},
      {"taint.key < taint.value", {5, 4 + 7}},
      {"taint.key + taint.value", {4, 4 + 38}},
      {"taint.key.lowerAscii().upperAscii()", {2, 2 + 32 + 32}},
      {"taint.key.replace('a', 'bb')", {2, 2 + 64}},
      {"taint.key.split('/')", {2, 2 + 64}},
      {"taint.key.charAt(0)", {3, 3}},
      {"taint.key.indexOf('a')", {2, 2 + 32}},
      {"strings.quote(taint.key)", {2, 2 + 32}},
      {"'%s'.format([taint.key])", {13, 13}},
      {"bytes(taint.key)", {2, 2 + 32}},
      {"taint.key.find('abcd')", {3, 2 + 32}},
      {"taint.key.findAll('abcde')", {4, 2 + 32 * 2}},
  });
}

TEST(StaticCostTest, OfLists) {
  ExpectEstimates({
      {"1 in [1, 2, 3]", {13, 13}},
      {"[1, 2, 3].sum()", {13, 13}},
      {"[1, 2, 3].reverse()", {10 + 3 + 11, 10 + 3 + 11}},
      {"[1, 2, 3].slice(1, 2)", {10 + 1 + 11, 10 + 1 + 11}},
      {"[[1], [2]].flatten(3)", {30 + 2 * 3 + 11, 30 + 2 * 3 + 11}},
      {"[1, 2, 3].distinct()", {10 + 18 + 11, 10 + 18 + 11}},
      {"lists.range(7)", {7 + 11, 7 + 11}},
      {"sets.contains([1, 2], [1])", {20 + 2 + 1, 20 + 2 + 1}},
      {"sets.equivalent([1, 2], [1])", {20 + 4 + 1, 20 + 4 + 1}},
      {"[1, 2].includes(1)", {12, 12}},
  });
}

TEST(StaticCostTest, OfKubernetesTypes) {
  ExpectEstimates({
      {"quantity(taint.value)", {2, 2 + 7}},
      {"semver(taint.value, true).major()", {3, 2 + 7 + 1}},
      {"ip('::1') == ip('::1')", {3, 3}},
      {"ip.isCanonical(taint.value)", {2, 2 + 13}},
      {"cidr('10.0.0.0/8').containsIP('10.0.0.1')", {1 + 1 + 1, 1 + 4 + 1}},
      {"cidr('10.0.0.0/8').containsCIDR(cidr('10.0.0.0/8'))", {2 + 3, 2 + 7}},
      {"format.dns1123Label().validate(taint.value)", {3, 3 + 7 * 32}},
      {"url(taint.value).getHost()", {3, 2 + 7 + 1}},
      {"dyn(taint).check('get')", {350002, 350002}},
  });
}

// Values without a declared size are unbounded, and their cost saturates.
TEST(StaticCostTest, OfTheUnbounded) {
  ExpectEstimates({
      {"lists.range(size(taint.key))", {kUnbounded, kUnbounded}},
      {"['ab', 'cd'].join('-')", {11, 10 + kTenth}},
      {"['ab', 'cd'].isSorted()", {12, 10 + 2 * (1 + kTenth)}},
      {"type(taint) == type(taint)", {4 + 1, 4 + kTenth}},
  });
}

TEST(StaticCostTest, LargeSizesSaturateAndAreRoundedAsDoubles) {
  ExpectEstimates({
      {"1 in lists.range(9007199254740993)", {18014398509481995, 18014398509481995}},
      {"string(1).replace('a', 'bc') + 'x'", {2, 5534023222112865793}},
      {"format.uuid().validate(string(1))", {2, kUnbounded}},
  });
}

TEST(StaticCostTest, ElementsOfAListAreKnownOnlyIfThoseOfBothPartsAre) {
  ExpectEstimates({
      {"(['a'] + ['bb']).exists(e, e == 'bbbbbbbbbbbbbbbbbbbbb')", {30, 34}},
      {"(['a'] + taint.key.split(',')).exists(e, e == 'bbbbbbbbbbbbbbbbbbbbb')", {18, 2622}},
  });
}

TEST(StaticCostTest, UrlsAreComparedByTheSizeOfTheRightOne) {
  ExpectEstimates({
      {"url('http://a/aaaaaaaaaaaaaaaaaaaaaaa') == url('http://a')", {6, 6}},
      {"url('http://a') == url('http://a/aaaaaaaaaaaaaaaaaaaaaaa')", {6, 9}},
  });
}

}  // namespace
}  // namespace plimsoll::cel
